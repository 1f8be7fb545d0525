import { EVM_MAX } from '../../avalanche/evm.js';
import type { Batch } from '../../storage/session.js';

/** How many blocks of a chain have their own partition. Migrations know this number too. */
export const BLOCKS_PER_PARTITION = 4_000_000n;

/** Most partitions that are ever made: every read plans, locks and reads partitions. */
const MOST_PARTITIONS = 50;

// Up to this number a partition is made even far from others; the rest is left for the growth of chains that
// have rows.
const MOST_PLACES_APART = 30;

/** A position between frames; infinite where PostgreSQL says MINVALUE or MAXVALUE. */
export type Edge = readonly [chain: bigint | number, block: bigint | number];

/** The range between two edges, including the first. */
export interface BlockRange {
  from: Edge;
  to: Edge;
}

interface Partition extends BlockRange {
  name: string;
}

const LOWEST: Edge = [-Infinity, -Infinity];
const HIGHEST: Edge = [Infinity, Infinity];

/**
 * Makes the missing partitions for frames of these blocks, while others read and write.
 *
 * @returns the names of all that the blocks are in
 */
export async function coverBlocks(
  client: Batch,
  evmChainId: string,
  blocks: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const edges = [...blocks].map((block): Edge => [BigInt(evmChainId), BigInt(block)]);
  let stored = await readPartitions(client);
  if (edges.some((edge) => !find(stored, edge))) {
    // Imports of two chains may make partitions at the same time, and each has to see those of the other.
    await client.query('LOCK TABLE ONLY internal_tx IN SHARE UPDATE EXCLUSIVE MODE');
    stored = await readPartitions(client);
    for (const edge of edges)
      if (!find(stored, edge)) stored.unshift(await makePartition(client, rangeFor(stored, edge)));
  }
  return new Set(edges.flatMap((edge) => find(stored, edge)?.name ?? []));
}

/**
 * The range of a new partition for a frame: the blocks of its chain from one multiple of BLOCKS_PER_PARTITION
 * to the next. A partition next to another one counts as one; one further away also makes a gap. When no
 * partitions are left, the partition takes the whole gap around the frame. So there are never more than
 * MOST_PARTITIONS partitions and gaps together, and each gap can be filled.
 */
function rangeFor(stored: readonly BlockRange[], [chain, block]: Edge): BlockRange {
  const sorted = stored.toSorted((a, b) => compare(a.from, b.from));
  const gaps = gapsOf(sorted);
  const gap = gaps.find((each) => holds(each, [chain, block]));
  if (!gap) throw new Error('no range for a partition was found, although no partition has the frame');
  const slot = BigInt(block) - (BigInt(block) % BLOCKS_PER_PARTITION);
  const next = slot + BLOCKS_PER_PARTITION;
  const own = {
    from: later([chain, slot], gap.from),
    to: earlier([chain, next < EVM_MAX ? next : EVM_MAX], gap.to),
  };
  const gapsLeft = Number(own.from !== gap.from) + Number(own.to !== gap.to);
  const positions = stored.length + gaps.length + gapsLeft;
  return positions <= (gapsLeft === 2 ? MOST_PLACES_APART : MOST_PARTITIONS) ? own : gap;
}

/** The gaps between sorted ranges. */
function gapsOf(sorted: readonly BlockRange[]): BlockRange[] {
  const from = [LOWEST, ...sorted.map((each) => each.to)];
  const to = [...sorted.map((each) => each.from), HIGHEST];
  return from
    .map((edge, index): BlockRange => ({ from: edge, to: to[index] ?? HIGHEST }))
    .filter((gap) => compare(gap.from, gap.to) < 0);
}

function find(stored: readonly Partition[], edge: Edge): Partition | undefined {
  return stored.find((each) => holds(each, edge));
}

function holds({ from, to }: BlockRange, edge: Edge): boolean {
  return compare(from, edge) <= 0 && compare(edge, to) < 0;
}

function compare([chain, block]: Edge, [otherChain, otherBlock]: Edge): number {
  if (chain !== otherChain) return chain < otherChain ? -1 : 1;
  return block === otherBlock ? 0 : block < otherBlock ? -1 : 1;
}

const later = (edge: Edge, other: Edge) => (compare(edge, other) <= 0 ? other : edge);
const earlier = (edge: Edge, other: Edge) => (compare(edge, other) >= 0 ? other : edge);

async function readPartitions(client: Batch): Promise<Partition[]> {
  const { rows } = await client.query<{ name: string; bound: string }>(
    `SELECT c.oid::regclass::text AS name, pg_get_expr(c.relpartbound, c.oid) AS bound
     FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid WHERE inhparent = 'internal_tx'::regclass`,
  );
  return rows.map(({ name, bound }) => {
    const [from, to] = [...bound.matchAll(/\(([^,]+), ([^)]+)\)/g)].map(([, ...edge]): Edge => [
      readBound(edge[0]),
      readBound(edge[1]),
    ]);
    if (!from || !to) throw new Error(`${name} is a partition of internal_tx for no range: ${bound}`);
    return { name, from, to };
  });
}

function readBound(text = ''): bigint | number {
  if (text === 'MINVALUE') return -Infinity;
  return text === 'MAXVALUE' ? Infinity : BigInt(text.replaceAll("'", ''));
}

function boundText(edge: Edge): string {
  const texts = edge.map((value) =>
    typeof value === 'bigint' ? String(value) : value < 0 ? 'MINVALUE' : 'MAXVALUE',
  );
  return `(${texts.join(', ')})`;
}

// Made as a separate table and then attached, for which readers and writers do not wait as they do for
// PARTITION OF.
async function makePartition(client: Batch, range: BlockRange): Promise<Partition> {
  const name = await freeName(client, range);
  await client.query(
    `CREATE TABLE ${name} (LIKE internal_tx INCLUDING ALL) WITH (autovacuum_vacuum_insert_scale_factor = 0.02)`,
  );
  await client.query(
    `ALTER TABLE internal_tx ATTACH PARTITION ${name}
     FOR VALUES FROM ${boundText(range.from)} TO ${boundText(range.to)}`,
  );
  return { name, ...range };
}

/** A name from the range; a detached partition may still have it. */
async function freeName(client: Batch, { from }: BlockRange): Promise<string> {
  const plain = ['internal_tx', ...from.map((value) => (typeof value === 'bigint' ? value : 'first'))].join(
    '_',
  );
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relname LIKE $1`,
    [`${plain}%`],
  );
  const taken = new Set(rows.map(({ name }) => name));
  let name = plain;
  for (let number = 2; taken.has(name); number += 1) name = `${plain}_again_${number}`;
  return name;
}
