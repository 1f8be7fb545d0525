import type { ComponentChildren } from 'preact';
import type { Answer } from '../ask.js';
import type { TypedDocumentString } from '../generated/graphql.js';
import { graphiqlPath } from '../paths.js';

/** Shown instead of data: that they are being loaded, or why there are none. */
export function Standing<Data>({ answer: { data, failure } }: { answer: Answer<Data> }) {
  if (failure)
    return (
      <p role="alert" class="failure">
        {failure}
      </p>
    );
  return data ? null : <p role="status">Asking the gateway…</p>;
}

/** The document that a page, or a part of it, asked, with its variables. */
export function Asked<Data, Variables>({
  document,
  variables,
  of = 'this page',
}: {
  document: TypedDocumentString<Data, Variables>;
  variables: Variables;
  of?: string;
}) {
  const query = withDefaults(String(document).trim(), variables as Record<string, unknown>);
  return (
    <details class={of === 'this page' ? 'asked' : undefined}>
      <summary>The query behind {of}</summary>
      <p>
        <a href={graphiqlPath(query)}>Open it in GraphiQL</a>
      </p>
      <pre tabIndex={0}>{query}</pre>
    </details>
  );
}

/** The document with each variable's value as its default, so that it runs as it is written. */
function withDefaults(query: string, variables: Record<string, unknown>): string {
  return query.replace(
    /\$(\w+): (\[?)(\w+)(!?\]?)(!?)(?=[,)])/g,
    (match, name: string, ...parts: string[]) => {
      const [open, type = '', close] = parts;
      const value = variables[name];
      return value === undefined
        ? match
        : `$${name}: ${open}${type}${close} = ${literalOf(value, enums.has(type))}`;
    },
  );
}

/** Types and members of inputs whose texts are names. */
const enums: ReadonlySet<string> = new Set(['Network', 'CompositeOperator', 'tokenType']);

/** A value as GraphQL writes it. */
function literalOf(value: unknown, isName = false): string {
  if (Array.isArray(value)) return `[${value.map((each) => literalOf(each)).join(', ')}]`;
  if (typeof value === 'string' && isName) return value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, each]) => `${name}: ${literalOf(each, enums.has(name))}`);
  return `{ ${members.join(', ')} }`;
}

/** A heading and what is below it. */
export function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
