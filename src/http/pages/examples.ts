import type { Html } from './markup.js';
import { markup } from './markup.js';

/** A document that GraphiQL opens on a click. */
export interface Example {
  /** Of its operation. */
  name: string;
  /** What it answers. */
  title: string;
  query: string;
  /** JSON text. */
  variables: string;
}

export interface ExampleGroup {
  title: string;
  examples: readonly Example[];
}

/** An example whose first line is a comment that says what it answers. @throws Error for a document without either */
export function exampleOf(query: string): Example {
  const [, title] = /^# (.+)\n/.exec(query) ?? [];
  if (!title) throw new Error('an example begins with a comment that is its title');
  return { name: operationName(query), title, query, variables: '' };
}

/** @throws Error for a document without a named operation */
export function operationName(query: string): string {
  const [, name] = /^(?:query|mutation) (\w+)/m.exec(query) ?? [];
  if (!name) throw new Error('an example names its operation');
  return name;
}

/**
 * The list of examples in GraphiQL. Each is a link to the page with the example open, which needs no script; the list's
 * script opens it in the page if it can.
 */
export function examplesList(groups: readonly ExampleGroup[]): Html {
  return markup`<nav id="examples" aria-label="Examples">
<p class="ways"><a href="/">Moraine</a> <a href="/docs">REST API</a></p>
<details open><summary>Examples</summary>
<div>
${groups.map(
  ({ title, examples }) => markup`<h2>${title}</h2>
<ul>
${examples.map((each) => markup`<li><a href="/graphql?example=${each.name}" data-example="${each.name}">${each.title}</a></li>\n`)}</ul>
`,
)}</div></details>
</nav>`;
}
