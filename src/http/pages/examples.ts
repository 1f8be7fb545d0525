import type { ExampleGroup } from '../../recipes.js';
import { markup, type Html } from './markup.js';

/**
 * The list of examples in GraphiQL. Each is a link to the page with the example open, which needs no script;
 * the list's script opens it in the page if it can.
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
