import type { ComponentChildren } from 'preact';
import type { Answer } from '../ask.js';
import type { TypedDocumentString } from '../generated/graphql.js';
import { graphiqlPath } from '../paths.js';

/** What is said instead of data: that they are awaited, or why there are none. */
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
  return query.replace(/\$(\w+): (\w+)(!?)(?=[,)])/g, (match, name: string, type: string) => {
    const value = variables[name];
    if (value === undefined) return match;
    const literal = type === 'Network' && typeof value === 'string' ? value : JSON.stringify(value);
    return `$${name}: ${type} = ${literal}`;
  });
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
