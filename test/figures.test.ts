import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { counts, derived, small } from '../bench/size/counts.js';
import { readPrismaSchema } from '../bin/prisma-schema.js';

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** What a benchmark measured: times, sizes of data, and ratios. Settings and limits have their own pages. */
const figure =
  /\d[\d.,]*\s(ms|s|seconds|minutes|KiB|MiB|GiB|kB|MB|GB|TB|%|times|bytes)(?![\w-])|\d[\d.,]* (million )?(rows|blocks|requests|transactions) (a|per) second|\d+\.\d+ of it|[Mm]easured/;
/** A page that a benchmark writes, a record with its measurement, a benchmark, or a commit. */
const source = /performance\.md|sizing\.md|decisions\/\d{4}|npm run bench|\bat [0-9a-f]{8}\b/;

/** Paragraphs and items of lists, without code. */
function partsOf(page: string): string[] {
  return read(page)
    .replace(/^```[\s\S]*?^```/gm, '')
    .split(/\n\n|\n(?=- |#|\|)/)
    .map((part) => part.replace(/\s+/g, ' ').trim());
}

describe('figures in prose', () => {
  test.each(['docs/scaling.md', 'README.md'])('of %s name where they were measured', (page) => {
    // The page says itself what the word means there.
    const parts = partsOf(page).filter((part) => !part.includes('what its claims rest on'));
    expect(parts.filter((part) => figure.test(part) && !source.test(part))).toEqual([]);
  });

  test('of docs/sizing.md and docs/performance.md are those of the benchmark that wrote the page', () => {
    expect(read('docs/sizing.md')).toMatch(/`npm run bench -- size --rows \d+` wrote this page on \d{4}-/);
    expect(read('docs/performance.md')).toMatch(/`npm run bench -- all` wrote this page on \d{4}-/);
  });

  test('of several processes are the same in docs/scaling.md as in docs/performance.md', () => {
    const row = /^\| (.*): throughput of two processes ÷ one +\|[^|]*\| (\d\.\d+) /gm;
    const rows = [...read('docs/performance.md').matchAll(row)].map(([, what = '', ratio = '']) => ({
      asksNothing: what.includes('asks PostgreSQL nothing'),
      ratio: Number(ratio),
    }));
    const rangeOf = (asksNothing: boolean) => {
      const found = rows.filter((each) => each.asksNothing === asksNothing).map(({ ratio }) => ratio);
      return `${Math.min(...found).toFixed(2)} to ${Math.max(...found).toFixed(2)} times as much`;
    };
    const text = partsOf('docs/scaling.md').join('\n');
    expect(text).toContain(rangeOf(true));
    expect(text).toContain(rangeOf(false));
  });
});

test('docs/sizing.md has every table of the Prisma schema, and no other', async () => {
  const [, tables = ''] = /^## Tables\n([\s\S]*?)^## /m.exec(read('docs/sizing.md')) ?? [];
  const named = [...tables.matchAll(/^\| (\w+) +\|/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'table');
  const known = Object.keys(await readPrismaSchema(new URL('prisma/schema.prisma', root))).sort();
  expect(named.sort()).toEqual(known);
  // The benchmark that writes the page says how many rows each has.
  expect(Object.keys({ ...counts, ...small, ...derived }).sort()).toEqual(known);
});
