import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useAnswer } from '../ask.js';
import type { TypedDocumentString } from '../generated/graphql.js';
import { Asked, Standing } from './answer.js';
import { Id } from './text.js';

interface PageProps<Data, Variables, Found> {
  title: string;
  /** The id of what is shown, below the title. */
  id?: string;
  document: TypedDocumentString<Data, Variables>;
  variables: Variables;
  /** What of the answer is shown; null or undefined where it is not indexed. */
  find: (data: Data) => Found | null | undefined;
  /** What is said where it is not indexed. */
  missing: string;
  /** How long after an answer it is asked again, milliseconds; if omitted, never. */
  everyMs?: number;
  children: (found: Found) => ComponentChildren;
}

/** A page that asks one document: asked, refused, not indexed or shown, and the document itself. */
export function Page<Data, Variables, Found>({
  title,
  id,
  document,
  variables,
  find,
  missing,
  everyMs,
  children,
}: PageProps<Data, Variables, Found>) {
  const answer = useAnswer(document, variables, everyMs);
  const { path, query } = useLocation();
  const found = answer.data && find(answer.data);
  return (
    <>
      <h1>{title}</h1>
      {id && (
        <p>
          <Id id={id} />
        </p>
      )}
      <Standing answer={answer} />
      {answer.failure && Object.keys(query).length > 0 && (
        <p>
          <a href={path}>The first page of every list</a>
        </p>
      )}
      {answer.data && !found && <p>{missing}</p>}
      {found && <div aria-busy={answer.isEarlier}>{children(found)}</div>}
      <Asked document={document} variables={variables} />
    </>
  );
}
