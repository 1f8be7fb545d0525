import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { tablesPage } from '../bin/tables-page.js';

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const exists = (path: string) => statSync(new URL(path, root), { throwIfNoEntry: false }) !== undefined;
const under = (folder: string) =>
  readdirSync(fileURLToPath(new URL(folder, root)), { recursive: true, encoding: 'utf8' }).map(
    (file) => `${folder}/${file}`,
  );
const code = ['src', 'packages', 'test', 'sample', 'bench', 'bin', 'ops']
  .flatMap(under)
  .filter((file) => /\.(ts|mjs|ya?ml)$/.test(file) && !/^src\/generated\/|\/dist\//.test(file));
const pages = [...['docs', 'packages'].flatMap(under), ...readdirSync(fileURLToPath(root))].filter((file) =>
  file.endsWith('.md'),
);
const headings = (text: string) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title);

describe('what comments point to is there', () => {
  // A document of this repository, perhaps followed by a heading, which may be on the comment's next line.
  const pointer = /(?<![\w./-])(?!\/)((?:[\w-]+\/)*[\w-]+\.md)(?:,[\s*/#]+"([^"\n]+)")?/g;
  const pointers = code.flatMap((file) =>
    [...read(file).matchAll(pointer)].map(([, to = '', heading]) => ({ file, to, heading })),
  );

  test('each names a document by its path, and a heading of it', () => {
    expect(pointers.length).toBeGreaterThan(20);
    const lost = pointers.filter(
      ({ to, heading }) => !exists(to) || (heading !== undefined && !headings(read(to)).includes(heading)),
    );
    expect(lost).toEqual([]);
  });
});

test('files that pages name are there', () => {
  const path = /(?<![@\w./-])(?:src|packages|sample|prisma|test|bench|bin|ops)\/[\w./-]*\w/g;
  const named = pages.flatMap((page) => [...read(page).matchAll(path)].map(([file]) => ({ page, file })));
  expect(named.length).toBeGreaterThan(150);
  expect(named.filter(({ file }) => !exists(file))).toEqual([]);
});

test('docs/tables.md is what prisma/schema.prisma says (npm run tables writes it)', async () => {
  expect(read('docs/tables.md')).toBe(await tablesPage());
});

describe('docs/decisions', () => {
  const decisions = readdirSync(new URL('docs/decisions', root))
    .filter((file) => /^\d/.test(file))
    .sort();
  const index = [
    ...read('docs/decisions/README.md').matchAll(/^\| \[(\d+)\]\(([\w.-]+)\) \| (.+) \| (.+) \|$/gm),
  ].map(([, number = '', file = '', title = '', state = '']) => ({ number, file, title, state }));

  test('are numbered without a gap, and the index names each by its own title', () => {
    expect(decisions.map((file) => Number(file.slice(0, 4)))).toEqual(decisions.map((_, index) => index + 1));
    expect(index.map(({ number, file, title }) => [file, `# ${number}. ${title}`])).toEqual(
      decisions.map((file) => [file, read(`docs/decisions/${file}`).split('\n')[0]]),
    );
  });

  test('are in force, or replaced by a page that is there', () => {
    const links = ({ state }: { state: string }) => [...state.matchAll(/\[(\d+)\]\(([^)]+)\)/g)];
    const known = (number?: string, file?: string) =>
      index.some((page) => page.number === number && page.file === file);
    const wrong = index.filter(
      (page) =>
        !/^(in force|partly replaced|replaced)\b/.test(page.state) ||
        (page.state.includes('replaced') && links(page).length === 0) ||
        links(page).some(([, number, file]) => !known(number, file)),
    );
    expect(wrong).toEqual([]);
  });
});
