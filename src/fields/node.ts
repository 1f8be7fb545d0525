import { parseJson } from '../json.js';

/**
 * A function that reads a row as its JSON, to which its row id is added as `rowId`, and these columns under
 * their own names.
 */
export function nodeWith<Node>(
  ...columns: readonly (keyof Node & string)[]
): (row: { id: string; text: string }) => Node {
  return (row) => {
    const node = parseJson(row.text) as Record<string, unknown>;
    node['rowId'] = row.id;
    for (const name of columns) node[name] = (row as Record<string, unknown>)[name];
    return node as Node;
  };
}

/** Reads a row whose node is its JSON. */
export const nodeOfJson = <Node>({ text }: { text: string }) => parseJson(text) as Node;
