import type { ComponentChildren } from 'preact';
import { useAnswer } from '../ask.js';
import type { Document } from '../send.js';
import { Asked, Part, Standing } from './answer.js';

/** A part of a page with its own document, so that both stay cheap for the client. */
export function Also<Data, Variables, Found>({
  title,
  document,
  variables,
  find,
  children,
}: {
  title: string;
  document: Document<Data, Variables>;
  variables: Variables;
  /** What of the answer is shown; null or undefined where it is not indexed. */
  find: (data: Data) => Found | null | undefined;
  children: (found: Found) => ComponentChildren;
}) {
  const answer = useAnswer(document, variables);
  const found = answer.data && find(answer.data);
  return (
    <Part title={title}>
      <Standing answer={answer} />
      {answer.data && !found && <p>Nothing of this is indexed.</p>}
      {found && children(found)}
      <Asked document={document} variables={variables} of="this part" />
    </Part>
  );
}
