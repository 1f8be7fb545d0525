import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { circlesOf, files, imports } from '../harness/source-imports.js';

const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
const [, map = ''] = /^## The map of the follower$[\s\S]*?^```mermaid\n([\s\S]*?)^```$/m.exec(page) ?? [];
const boxes = new Map(
  [...map.matchAll(/^ {2}(\w+)\["([\w./-]+): /gm)].map(([, id = '', box = '']) => [id, box]),
);
const arrows = [...map.matchAll(/^ {2}(\w+) --> ([\w &]+)$/gm)].flatMap(([, from = '', to = '']) =>
  to.split(' & ').map((each) => ({ from: boxes.get(from) ?? from, to: boxes.get(each) ?? each })),
);

/** The folder or the loose file of src/follow. */
const boxOf = (file: string) => /^follow\/([^/]+(?:\/|$))/.exec(file)?.[1] ?? '';
const between = imports.filter(
  ({ from, to }) => boxOf(from) !== '' && boxOf(to) !== '' && boxOf(from) !== boxOf(to),
);

function reached(box: string): string[] {
  const next = arrows.filter(({ from }) => from === box).map(({ to }) => to);
  return [...next, ...next.flatMap(reached)];
}

test('the map of the follower has its folders and loose files', () => {
  expect([...boxes.values()].sort()).toEqual([...new Set(files.map(boxOf))].filter(Boolean).sort());
});

test('imports, of types too, follow its arrows, each of which is an import, and none leads back', () => {
  expect(circlesOf(arrows)).toEqual([]);
  const wrong = between.filter(({ from, to }) => !reached(boxOf(from)).includes(boxOf(to)));
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  const drawn = arrows.filter(
    (arrow) => !between.some(({ from, to }) => boxOf(from) === arrow.from && boxOf(to) === arrow.to),
  );
  expect(drawn).toEqual([]);
});
