import type { Session } from '../../storage/session.js';
import { afterBlocks, commit, digested, watermarkMover } from './commit.js';
import type { Committed, DigestedBlocks } from './commit.js';
import { storeGaps } from '../gaps.js';
import type { Pauses } from '../pauses.js';
import type { Digest, Memo } from '../pipeline.js';
import { moveRange, removeRange, type Range } from './ranges.js';
import type { Watermark } from '../watermark.js';

/**
 * Writes the rows of the next blocks of a range of the past, their gaps and how far the range is in one
 * transaction.
 *
 * @throws Outrun when another follower reads the range; what the database throws
 */
export function commitRange(
  session: Session,
  before: Watermark,
  batch: DigestedBlocks,
  pauses: Pauses,
): Promise<Committed> {
  const after = afterBlocks(before, batch.blocks, batch.digest);
  const marks = { before, after, move: moveRange, feed: { isBackfill: true } };
  return commit(session, batch, marks, (within) => storeGaps(within, before, batch.blocks, pauses));
}

/**
 * Makes a range whose last block is the parent of the first stored one a part of what is stored.
 *
 * @param reached what the pipeline writes when its first block is a lower one
 */
export function commitJoin(
  session: Session,
  before: Watermark,
  range: Range,
  reached: Digest,
  head: bigint,
): Promise<Committed> {
  // Where no block after them is stored yet, the next one must follow them.
  const { lastId, lastTime } = before.next > before.first ? before : range;
  const after = {
    ...before,
    first: range.first,
    firstParent: range.firstParent,
    lastId,
    lastTime,
    memo: joinedMemos(before.memo, range.memo),
    counters: joinedCounts(before.counters, range.counters),
    refusedRows: before.refusedRows + range.refusedRows,
  };
  const marks = { before, after, move: watermarkMover(head), feed: { isBackfill: true } };
  return commit(session, digested([], reached), marks, (within) => removeRange(within, range));
}

/** Numbers of a memo are sums over blocks. */
function joinedMemos(ours: Memo | null, theirs: Memo | null): Memo | null {
  if (ours === null || theirs === null) return ours ?? theirs;
  const sums = Object.entries(theirs).map(([name, value]) => {
    const known = ours[name];
    return [name, typeof known === 'number' && typeof value === 'number' ? known + value : value] as const;
  });
  return { ...ours, ...Object.fromEntries(sums) };
}

function joinedCounts(ours: Watermark['counters'], theirs: Watermark['counters']): Record<string, number> {
  const sums = Object.entries(theirs).map(([table, rows]) => [table, (ours[table] ?? 0) + rows] as const);
  return { ...ours, ...Object.fromEntries(sums) };
}
