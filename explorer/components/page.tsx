import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useAnswer } from '../ask.js';
import type { TypedDocumentString } from '../generated/graphql.js';
import { Asked, Standing } from './answer.js';
import { Id } from './text.js';

interface PageProps<Data, Variables, Found> {
  /** What the page is of, in words. */
  title: string;
  /** The heading once it is known what is shown; if omitted, the title is. */
  heading?: (found: Found) => ComponentChildren;
  /** The id of what is shown, whole below the heading. */
  id?: string;
  document: TypedDocumentString<Data, Variables>;
  variables: Variables;
  /** What of the answer is shown; null or undefined where it is not indexed. */
  find: (data: Data) => Found | null | undefined;
  /** What is said where it is not indexed. */
  missing: ComponentChildren;
  /** How long after an answer it is asked again, milliseconds; if omitted, never. */
  everyMs?: number;
  children: (found: Found) => ComponentChildren;
}

/** A page that asks one document: asked, refused, not indexed or shown, and the document itself. */
export function Page<Data, Variables, Found>({
  title,
  heading,
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
      <div class="head">
        {heading && <p class="kind">{title}</p>}
        <h1>{heading && found ? heading(found) : title}</h1>
        {id && <Id id={id} whole />}
      </div>
      <Standing answer={answer} />
      {answer.failure && Object.keys(query).length > 0 && (
        <p>
          <a href={path}>The first page of every list</a>
        </p>
      )}
      {answer.data && !found && <p class="empty">{missing}</p>}
      {found && <div aria-busy={answer.isEarlier}>{children(found)}</div>}
      <Asked document={document} variables={variables} />
    </>
  );
}
