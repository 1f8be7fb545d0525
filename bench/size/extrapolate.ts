import { partitions, type Count } from './counts.js';
import { BLOCK, type IndexSize, type TableSize } from './measure.js';

/** With fewer rows a table's fixed blocks are most of it. */
const FEWEST = 1000;

/** The size of a table with the rows of a chain. */
export interface Extrapolated extends Count {
  heap: number;
  indexes: number;
  /** Of its deepest index. */
  depth: number;
}

/** How many rows a chain has in a table; null if unknown, or if too few were generated to calculate it. */
export function countOf(
  table: TableSize,
  all: readonly TableSize[],
  counts: Readonly<Record<string, Count>>,
  derived: Readonly<Record<string, string>>,
): Count | null {
  if (table.rows < FEWEST) return null;
  const count = counts[table.name];
  if (count) return count;
  const from = derived[table.name];
  const known = from === undefined ? undefined : counts[from];
  const parent = all.find(({ name }) => name === from);
  if (!known || !parent) return null;
  const each = table.rows / parent.rows;
  return { rows: Math.round(known.rows * each), source: `${each.toFixed(2)} for each row of ${from}` };
}

/** Bytes grow with the rows; those of long values count as the heap's. */
export function extrapolate(table: TableSize, count: Count): Extrapolated {
  const times = count.rows / table.rows;
  return {
    ...count,
    heap: (table.heap + table.toast) * times,
    indexes: bytesOf(table) * times,
    depth: Math.max(
      ...table.indexes.map((index) => depthOf(index, times / (partitions[table.name] ?? 1)) ?? 0),
    ),
  };
}

/** Bytes of all indexes together. */
export const bytesOf = ({ indexes }: TableSize) => indexes.reduce((sum, { bytes }) => sum + bytes, 0);

/** Blocks from the root to a leaf when an index has this many times its blocks; null if it is no B-tree. */
export function depthOf({ bytes, tree }: IndexSize, times: number): number | null {
  if (!tree) return null;
  // All but the first are the tree's; one in `fanout` of them stands above the leaves.
  let blocks = Math.max(1, (bytes / BLOCK - 1) * (1 - 1 / tree.fanout) * times);
  let depth = 1;
  for (; blocks > 1; depth += 1) blocks = Math.ceil(blocks / tree.fanout);
  return depth;
}
