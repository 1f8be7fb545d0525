import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { format } from 'prettier';
import { plotBars } from '../harness/plot.js';
import { derived, partitions, type Count } from './counts.js';
import { MESSAGE_BYTES } from './evm.js';
import { bytesOf, countOf, depthOf, extrapolate, type Extrapolated } from './extrapolate.js';
import { BLOCK, type IndexSize, type TableSize } from './measure.js';

type Counts = Readonly<Record<string, Count>>;
type Row = TableSize & { then: Extrapolated | null };

const page = new URL('../../docs/sizing.md', import.meta.url);
const GIB = 2 ** 30;
/** Where the plot's bars begin: it is logarithmic. */
const LEAST = 1e-2;
const whole = (value: number) => Math.round(value).toLocaleString('en');
const gibibytes = (bytes: number) => {
  const size = bytes / GIB;
  return size >= 10 ? whole(size) : size.toFixed(size < 0.1 ? 2 : 1);
};
const depthNow = ({ indexes }: TableSize) => Math.max(0, ...indexes.map(({ tree }) => tree?.depth ?? 0));
/** Of generated rows. */
const each = ({ rows }: TableSize, bytes: number) => (rows === 0 ? '' : whole(bytes / rows));

export function print(tables: readonly TableSize[], counts: Counts): void {
  const rows = rowsOf(tables, counts);
  for (const row of rows) {
    const then = row.then
      ? `; ${whole(row.then.rows)} rows: ${gibibytes(row.then.heap + row.then.indexes)} GiB, depth ${row.then.depth}`
      : '';
    console.log(
      `${row.name.padEnd(26)} ${whole(row.rows)} rows; bytes a row: heap ${each(row, row.heap)}, toast ${each(row, row.toast)}, indexes ${each(row, bytesOf(row))}; depth ${depthNow(row)}${then}`,
    );
    for (const { name, bytes, tree } of row.indexes)
      console.log(`    ${name}: ${each(row, bytes)}, depth ${tree?.depth ?? 'none'}`);
  }
  console.log(`in all ${gibibytes(totalOf(rows))} GiB; ${checkOf(tables)}`);
}

/** Writes the tables and their plot. */
export async function write(
  tables: readonly TableSize[],
  counts: Counts,
  { rows: generated, database }: { rows: number; database: string },
): Promise<void> {
  const rows = rowsOf(tables, counts);
  const known = rows.filter((row): row is TableSize & { then: Extrapolated } => row.then !== null);
  const text = `# Sizing

What a database of a whole chain takes. \`npm run bench -- size --rows ${generated}\` wrote this page on ${new Date().toISOString().slice(0, 10)}, from ${whole(generated)} generated
transactions of the ledger and what belongs to them, imported into an empty PostgreSQL ${database} by Node ${process.version.slice(1)} on
${cpus().length} processors (${cpus()[0]?.model ?? 'unknown'}). It counts bytes and measures no time: a busy machine says the same.

![Sizes, extrapolated](sizing.svg)

## How to read it

- **Measured** are the generated rows: how many there are, the bytes that a row takes in the heap, in what is kept beside it
  for being long (toast) and in all indexes of its table, after VACUUM, with what is free in half-filled blocks; and the depth,
  the blocks that a look-up reads from the root to a leaf in the table's deepest B-tree. The rows took the way of
  \`moraine import\`, in the order of time, so that indexes are filled as they are after months of imports. One large import into empty
  tables makes its indexes afterwards, and they begin smaller.
- **Extrapolated** is what follows for as many rows as mainnet has: bytes grow with the rows; a level more is needed where the
  blocks of one are more than a block above can point to, which is told from the items of the root today. The same
  arithmetic gives ${checkOf(tables)}.
- **Counted elsewhere, or assumed**, is how many rows mainnet has: the column "from" says which. Name your own, as
  in \`npm run bench -- size transaction=1000000 internal_tx=0\`: tables that follow from one
  follow (\`for each row of\`), the others stay as on mainnet, and it is printed only.
- **Generated rows are not the chain.** They agree with it in outputs, inputs and addresses a transaction. How many
  transactions name a subnet, a node or an L1 validator and how unevenly addresses are used is assumed. There is one asset, so
  that the indexes of others are empty; NFTs have no metadata, and messages ${MESSAGE_BYTES} bytes of data. A table that is off by a
  half in its rows is off by a half in its size.
- A database needs more than its tables: write-ahead log, room for making indexes anew, and memory for the indexes
  that imports change at random places, first of all those of \`internal_tx\`. Extrapolated for ${Object.entries(
    partitions,
  )
    .map(([name, number]) => `\`${name}\` in ${number} partitions`)
    .join(', ')}, whose depth is that of one partition.

## Tables

${tableOf(rows)}

In all **${gibibytes(totalOf(rows))} GiB**. Tables without an extrapolation had too few rows to tell, or nobody counted theirs; \`evm_holding_version\`
grows with the tokens that are held and the days on which they move.

## Indexes

${indexTable(known)}
`;
  await writeFile(page, await format(text, { parser: 'markdown' }));
  await writeFile(new URL('sizing.svg', page), plot(known));
  console.log('\nwritten to docs/sizing.md and docs/sizing.svg');
}

function rowsOf(tables: readonly TableSize[], counts: Counts): Row[] {
  const rows = tables.map((table): Row => {
    const count = countOf(table, tables, counts, derived);
    return { ...table, then: count && extrapolate(table, count) };
  });
  const size = ({ then }: Row) => (then ? then.heap + then.indexes : 0);
  return rows.sort((a, b) => size(b) - size(a));
}

const totalOf = (rows: readonly Row[]) =>
  rows.reduce((sum, { then }) => sum + (then ? then.heap + then.indexes : 0), 0);

/** Whether the arithmetic gives what was measured. */
function checkOf(tables: readonly TableSize[]): string {
  const trees = tables.flatMap(({ indexes }) => indexes).filter(({ tree }) => tree !== null);
  const right = trees.filter((index) => depthOf(index, 1) === index.tree?.depth);
  return `the measured depth for ${right.length} of ${trees.length} indexes as they are`;
}

function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(
    (row) =>
      `| ${row.name} | ${whole(row.rows)} | ${each(row, row.heap)} | ${each(row, row.toast)} | ${each(row, bytesOf(row))} | ${depthNow(row)} | ${
        row.then
          ? `${whole(row.then.rows)} | ${gibibytes(row.then.heap)} | ${gibibytes(row.then.indexes)} | ${row.then.depth} | ${row.then.source}`
          : ' | | | |'
      } |`,
  );
  return [
    '| table | generated rows | heap, bytes a row | toast | indexes | depth | rows then | heap and toast, GiB | indexes, GiB | depth then | from |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|',
    ...lines,
  ].join('\n');
}

function indexTable(rows: readonly (TableSize & { then: Extrapolated })[]): string {
  const line = (table: TableSize & { then: Extrapolated }, index: IndexSize) => {
    const times = table.then.rows / table.rows;
    const depth = depthOf(index, times / (partitions[table.name] ?? 1));
    return `| ${index.name} | ${each(table, index.bytes)} | ${((table.rows / index.bytes) * BLOCK).toFixed(0)} | ${index.tree?.depth ?? 'none'} | ${gibibytes(index.bytes * times)} | ${depth ?? 'none'} |`;
  };
  return [
    '| index | bytes a row of its table | rows a block | depth | GiB then | depth then |',
    '|---|--:|--:|--:|--:|--:|',
    ...rows.flatMap((row) => row.indexes.map((index) => line(row, index))),
  ].join('\n');
}

/** Sizes on a logarithmic scale: one table is larger than all others together. */
function plot(rows: readonly (TableSize & { then: Extrapolated })[]): string {
  return plotBars({
    title: 'GiB on mainnet, extrapolated; logarithmic',
    series: ['heap and toast', 'indexes'],
    groups: rows.map(({ name, then }) => ({ name, values: [then.heap, then.indexes] })),
    text: (bytes) => `${gibibytes(bytes)} GiB`,
    length: (bytes) => Math.max(0, Math.log10(bytes / GIB / LEAST)),
  });
}
