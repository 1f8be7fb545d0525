import { EVM_MAX } from '../../avalanche/evm.js';
import type { Batch } from '../../storage/session.js';

/** How many blocks of a chain a partition of its own has. Migrations know the number too. */
export const BLOCKS_PER_PARTITION = 4_000_000n;

/** Every read plans, locks and looks into partitions: more than these are never made. */
const MOST_PARTITIONS = 50;

// Up to here partitions are made with nothing beside them; what is left is for chains that are held to grow in.
const MOST_PLACES_APART = 30;

/** A place between frames; infinite where PostgreSQL says MINVALUE or MAXVALUE. */
export type Edge = readonly [chain: bigint | number, block: bigint | number];

/** What lies between two edges, the first included. */
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
 * Makes the partitions that frames of these blocks go to, as far as there are none, while others read and write.
 *
 * @returns the names of all that the blocks are in
 */
export async function coverBlocks(
  client: Batch,
  evmChainId: string,
  blocks: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const edges = [...blocks].map((block): Edge => [BigInt(evmChainId), BigInt(block)]);
  let held = await readPartitions(client);
  if (edges.some((edge) => !find(held, edge))) {
    // Imports of two chains may make partitions at the same time, and each has to know of the other's.
    await client.query('LOCK TABLE ONLY internal_tx IN SHARE UPDATE EXCLUSIVE MODE');
    held = await readPartitions(client);
    for (const edge of edges)
      if (!find(held, edge)) held.unshift(await makePartition(client, rangeFor(held, edge)));
  }
  return new Set(edges.flatMap((edge) => find(held, edge)?.name ?? []));
}

/**
 * Where a partition for a frame is to lie that no other has room for: the blocks of its chain from one multiple of
 * BLOCKS_PER_PARTITION to the next. A partition beside another one takes a place, one apart also makes a gap; when there
 * are no places left, one takes the whole gap that the frame is in. So partitions and gaps are never more than
 * MOST_PARTITIONS together, and each gap can be filled.
 */
function rangeFor(held: readonly BlockRange[], [chain, block]: Edge): BlockRange {
  const sorted = held.toSorted((a, b) => compare(a.from, b.from));
  const gaps = gapsOf(sorted);
  const gap = gaps.find((each) => holds(each, [chain, block]));
  if (!gap) throw new Error('there is a partition for the frame');
  const slot = BigInt(block) - (BigInt(block) % BLOCKS_PER_PARTITION);
  const next = slot + BLOCKS_PER_PARTITION;
  const own = {
    from: later([chain, slot], gap.from),
    to: earlier([chain, next < EVM_MAX ? next : EVM_MAX], gap.to),
  };
  const gapsLeft = Number(own.from !== gap.from) + Number(own.to !== gap.to);
  const places = held.length + gaps.length + gapsLeft;
  return places <= (gapsLeft === 2 ? MOST_PLACES_APART : MOST_PARTITIONS) ? own : gap;
}

/** What lies between ranges that are in order. */
function gapsOf(sorted: readonly BlockRange[]): BlockRange[] {
  const from = [LOWEST, ...sorted.map((each) => each.to)];
  const to = [...sorted.map((each) => each.from), HIGHEST];
  return from
    .map((edge, index): BlockRange => ({ from: edge, to: to[index] ?? HIGHEST }))
    .filter((gap) => compare(gap.from, gap.to) < 0);
}

function find(held: readonly Partition[], edge: Edge): Partition | undefined {
  return held.find((each) => holds(each, edge));
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

// Made beside the table and then attached, which readers and writers do not wait for as they do for PARTITION OF.
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

/** A name after the range; one that was detached may still have it. */
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
