import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A document that GraphiQL opens on a click. */
export interface Example {
  /** Of its operation. */
  name: string;
  /** What it answers. */
  title: string;
  query: string;
  /** JSON text; empty without any. */
  variables: string;
}

export interface ExampleGroup {
  title: string;
  examples: readonly Example[];
}

/**
 * The recipes of docs/recipes.md in their groups: below a heading each, a document and perhaps its variables.
 *
 * @throws Error for one without a document that names its operation
 */
export function readRecipes(): ExampleGroup[] {
  // By a name of package.json: from src/ and from dist/src/ the way there differs.
  const page = createRequire(import.meta.url).resolve('#docs/recipes.md');
  return partsOf(readFileSync(page, 'utf8').replaceAll('\r\n', '\n'), '\n## ').map(({ title, text }) => ({
    title,
    examples: partsOf(text, '\n### ').map(exampleOf),
  }));
}

interface Part {
  title: string;
  text: string;
}

/** The parts of a text, each below a heading. */
function partsOf(text: string, mark: string): Part[] {
  const [, ...parts] = text.split(mark);
  return parts.map((part) => {
    const end = part.indexOf('\n');
    return { title: part.slice(0, end), text: part.slice(end) };
  });
}

function exampleOf({ title, text }: Part): Example {
  const [, query = ''] = /^```graphql\n([^`]*)\n```$/m.exec(text) ?? [];
  const [, variables = ''] = /^```json\n([^`]*)\n```$/m.exec(text) ?? [];
  const [, name] = /^query (\w+)/m.exec(query) ?? [];
  if (!name) throw new Error(`docs/recipes.md: "${title}" has no document with a name`);
  return { name, title, query, variables };
}
