import { readFileSync } from 'node:fs';

const record = readFileSync(
  new URL('../../docs/decisions/0017-doors-to-the-database.md', import.meta.url),
  'utf8',
);

/** What the decision record lists, by its door. */
export function listedUnder(door: 'model' | 'read'): string[] {
  return [...record.matchAll(/^\| `([^`]+)` \| (\w+) \|/gm)]
    .filter(([, , each]) => each === door)
    .map(([, name = '']) => name);
}

/** Whether the decision record lists the statement of this name. */
export function isListed(name: string): boolean {
  return listedUnder('read').some((listed) =>
    listed.endsWith('*') ? name.startsWith(listed.slice(0, -1)) : name === listed,
  );
}
