import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { format } from 'prettier';
import { plotBars } from '../harness/plot.js';
import { derived, partitions, small, type Count } from './counts.js';
import { MESSAGE_BYTES } from './evm.js';
import { bytesOf, countOf, depthOf, extrapolate, type Extrapolated } from './extrapolate.js';
import { BLOCK, type IndexSize, type TableSize } from './measure.js';

type Counts = Readonly<Record<string, Count>>;
type Row = TableSize & { then: Extrapolated | null };

const page = new URL('../../docs/sizing.md', import.meta.url);
const GIB = 2 ** 30;
/** Where the plot's logarithmic bars begin. */
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

How large the database of a whole chain is. \`npm run bench -- size --rows ${generated}\` wrote this page on ${new Date().toISOString().slice(0, 10)}. It imported
${whole(generated)} generated transactions of the ledger, and the rows that belong to them, into an empty PostgreSQL ${database}
with Node ${process.version.slice(1)} on ${cpus().length} processors (${cpus()[0]?.model ?? 'unknown'}). It counts bytes and measures no time, so a busy machine gives the same
result.

![Sizes, extrapolated](sizing.svg)

## How to read it

- **Measured** are the generated rows: how many there are, and the bytes that a row takes in the heap, in the separate
  storage of long values (toast) and in all indexes of its table, after VACUUM, including free space in half-filled
  blocks. Depth is the number of blocks that a look-up reads from the root to a leaf in the table's deepest B-tree. The rows
  were imported like those of \`moraine import\`, in the order of time, so indexes are filled as they are after months of
  imports. One large import into empty tables makes its indexes afterwards, and they are smaller at first. Tables that
  only a follower or the operator fills were filled by SQL; those without rows stay small, as "from" says.
- **Extrapolated** is the size for as many rows as mainnet has. Bytes grow with the rows. An index needs one more level when
  one level has more blocks than a block above can point to, which is calculated from the items of today's root. The same
  arithmetic gives ${checkOf(tables)}.
- **Counted elsewhere, or assumed**, is the number of rows on mainnet: the column "from" says which. To use other numbers,
  name them: \`npm run bench -- size transaction=1000000 internal_tx=0\`. Tables of which "from" says \`for each row of\`
  one of these change with it, the others stay as on mainnet, and the result is only printed.
- **Generated rows are not the chain.** They agree with it in outputs, inputs and addresses for each transaction. How many
  transactions name a subnet, a node or an L1 validator and how unevenly addresses are used is assumed. There is
  only one asset, so the indexes of other assets are empty. NFTs have no metadata, and messages have ${MESSAGE_BYTES} bytes of data.
  Nothing has a name: the indexes of names take some 480 bytes for each asset, 360 for each EVM chain and created blockchain, and
  136 for each NFT with metadata. If the number of rows of a table is wrong by half, its size is too.
- A database needs more than its tables: write-ahead log, room for rebuilding indexes, and memory for the indexes
  that imports change at random places, above all those of \`internal_tx\`. Partitioned tables are extrapolated as ${Object.entries(
    partitions,
  )
    .map(([name, number]) => `\`${name}\` in ${number} partitions`)
    .join(', ')}; their depth is that of one partition.

## Tables

${tableOf(rows)}

In all **${gibibytes(totalOf(rows))} GiB**. A table is not extrapolated if it had too few rows, or if its rows on mainnet are not known.
\`evm_holding_version\` grows with the tokens that have balances and the days on which these change.

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
          : ` | | | | ${small[row.name] ?? ''}`
      } |`,
  );
  return [
    '| table | generated rows | heap, bytes a row | toast | indexes | depth | rows on mainnet | heap and toast, GiB | indexes, GiB | depth on mainnet | from |',
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
    '| index | bytes a row of its table | rows a block | depth | GiB on mainnet | depth on mainnet |',
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
