import type { PrimaryChain } from '../../avalanche/networks.js';
import type { Batch, Session } from '../../storage/session.js';
import type { Written } from '../../write/kind.js';
import { changedTables } from '../../write/statistics.js';
import { firstOfNetwork } from '../../write/feed.js';
import { writeSets, type FeedOptions, type RowSet } from '../../write/transaction.js';
import { closeGap, postponeGap, storeGaps, type Gap } from '../gaps.js';
import type { Pauses } from '../pauses.js';
import type { Block, Digest } from '../pipeline.js';
import { isRefusal, readAccepted, siftRefused, type Sifted } from './refused.js';
import { moveWatermark, type Watermark } from '../watermark.js';

export interface Committed {
  readonly watermark: Watermark;
  /** Rows that changed the database. */
  readonly written: number;
  readonly tables: ReadonlySet<string>;
  /** Rows that were refused, for people. */
  readonly refused: readonly string[];
}

/** Consecutive blocks, their rows as far as their kinds accept them, and what else is written with them. */
export interface DigestedBlocks extends Sifted {
  readonly blocks: readonly Block[];
  readonly digest: Digest;
}

/** The rows of a digest as far as they are accepted. */
export const digested = (blocks: readonly Block[], digest: Digest): DigestedBlocks => ({
  blocks,
  digest,
  ...readAccepted(digest.rows),
});

/**
 * Writes the rows of consecutive blocks, their gaps, the pipeline's state and its watermark in one
 * transaction: all of it is stored or nothing.
 *
 * @param head the newest height that is known
 * @throws Outrun when another follower was faster; what the database throws
 */
export function commitBatch(
  session: Session,
  before: Watermark,
  batch: DigestedBlocks,
  head: bigint,
  pauses: Pauses,
): Promise<Committed> {
  const { blocks, digest } = batch;
  const after = afterBlocks(before, blocks, digest);
  const marks = { before, after, move: watermarkMover(head), feed: feedOf(before) };
  return commit(session, batch, marks, (within) => storeGaps(within, before, blocks, pauses));
}

/**
 * The same of a block that has a gap: its rows as far as nodes gave them now, and what is still missing. The
 * watermark stays, but for its memo.
 */
export function commitGap(
  session: Session,
  before: Watermark,
  batch: DigestedBlocks,
  head: bigint,
  { gap, pauses }: { readonly gap: Gap; readonly pauses: Pauses },
): Promise<Committed> {
  const [block] = batch.blocks;
  const { memo = before.memo } = batch.digest;
  const missing = block?.missing;
  const marks = { before, after: { ...before, memo }, move: watermarkMover(head), feed: {} };
  return commit(session, batch, marks, (within) =>
    missing ? postponeGap(within, gap, missing, pauses) : closeGap(within, gap),
  );
}

/** How a batch moves what is stored, and what the feed has of it. */
export interface Marks {
  readonly before: Watermark;
  /** But for what this batch counts. */
  readonly after: Watermark;
  /** Writes the latter where the former was. */
  readonly move: (batch: Batch, before: Watermark, after: Watermark) => Promise<void>;
  readonly feed: FeedOptions;
}

/** @param head the newest height that is known */
export const watermarkMover =
  (head: bigint): Marks['move'] =>
  (batch, before, after) =>
    moveWatermark(batch, before, after, head);

/** Whose watermark the status of a chain of the primary network shows. */
const statusOf: Partial<Record<Watermark['name'], PrimaryChain>> = { p: 'p', x: 'x', 'c-atomic': 'c' };

/** The status of a chain changes with blocks without any row too. */
function feedOf({ network, name }: Watermark): FeedOptions {
  const chain = statusOf[name];
  return chain ? { also: [firstOfNetwork('chain_status', network, [chain])] } : {};
}

/**
 * Writes the accepted rows of a batch, what else is written with them, and its marks, in one transaction.
 *
 * @param writeGaps writes what is missing of it, or no longer
 * @throws what the database throws, and what moving throws
 */
export async function commit(
  session: Session,
  { sets, refused, digest }: DigestedBlocks,
  { before, after: next, move, feed }: Marks,
  writeGaps: (batch: Batch) => Promise<void>,
): Promise<Committed> {
  let areWritten = false;
  const write = async (accepted: Sifted): Promise<Committed> => {
    let after = { ...next, refusedRows: next.refusedRows + accepted.refused.length };
    const finish = async (batch: Batch, written: readonly Written[]) => {
      areWritten = true;
      await digest.state?.(batch);
      await writeGaps(batch);
      after = { ...after, counters: counted(next.counters, accepted.sets, written) };
      await move(batch, before, after);
    };
    const done = await writeSets(session, accepted.sets, finish, feed);
    return {
      watermark: after,
      written: done.reduce((sum, { written }) => sum + written, 0),
      tables: new Set(accepted.sets.flatMap(({ kind }, index) => changedTables(kind, done[index]!))),
      refused: accepted.refused,
    };
  };
  try {
    return await write({ sets, refused });
  } catch (error) {
    // After the rows only our own state is written: a refusal of that is our fault.
    if (areWritten || !isRefusal(error)) throw error;
    const sifted = await siftRefused(session, sets);
    if (sifted.refused.length === 0) throw error;
    return await write({ sets: sifted.sets, refused: [...refused, ...sifted.refused] });
  }
}

/** The watermark after these blocks, but for its counters. */
export function afterBlocks<W extends Watermark>(
  before: W,
  blocks: readonly Block[],
  { memo = before.memo }: Digest,
): W {
  const last = blocks.at(-1);
  if (!last) throw new RangeError('a batch has at least one block');
  const times = blocks.flatMap(({ time }) => time ?? []);
  return {
    ...before,
    next: last.height + 1n,
    firstParent: before.next > before.first ? before.firstParent : blocks[0]!.parent,
    lastId: last.id,
    lastTime: times.at(-1) ?? before.lastTime,
    memo,
  };
}

function counted(
  before: Watermark['counters'],
  sets: readonly RowSet[],
  done: readonly Written[],
): Record<string, number> {
  const counters = { ...before };
  for (const [index, { kind }] of sets.entries())
    counters[kind.tables[0]] = (counters[kind.tables[0]] ?? 0) + (done[index]?.written ?? 0);
  return counters;
}
