import { shorten } from '../errors.js';
import { printJson } from '../json.js';
import { RowError, RowLeftOut } from '../rows/errors.js';
import type { Batch, Session } from '../storage/session.js';
import type { Written } from '../write/kind.js';
import { changedTables } from '../write/statistics.js';
import { writeSets, type RowSet } from '../write/transaction.js';
import { PipelineStopped } from './errors.js';
import { closeGap, postponeGap, storeGaps, type Gap, type GapPauses } from './gaps.js';
import type { Block, Digest, KindRows } from './pipeline.js';
import { moveWatermark, type Watermark } from './watermark.js';

/** Longest part of a row that a message shows, characters. */
const SHOWN_ROW = 2000;

export interface Committed {
  readonly watermark: Watermark;
  /** Rows that changed the database. */
  readonly written: number;
  readonly tables: ReadonlySet<string>;
}

/** Consecutive blocks, their rows as their kinds read them, and what else is written with them. */
export interface DigestedBlocks {
  readonly blocks: readonly Block[];
  readonly sets: readonly RowSet[];
  readonly digest: Digest;
}

/** The rows of a digest as their kinds read them. @throws PipelineStopped for a row of ours that its kind refuses */
export const readRows = ({ rows }: Digest, blocks: readonly Block[]): RowSet[] =>
  rows.map((each) => readOwn(each, blocks)).filter((set) => set.rows.length > 0);

/**
 * Writes the rows of consecutive blocks, what they lack, the pipeline's state and its watermark in one transaction: all of it is stored or
 * nothing.
 *
 * @param head the newest height that is known
 * @throws Outrun when another follower was faster; what the database throws
 */
export function commitBatch(
  session: Session,
  before: Watermark,
  digested: DigestedBlocks,
  head: bigint,
  pauses: GapPauses,
): Promise<Committed> {
  const { blocks, digest } = digested;
  const marks = { before, after: afterBlocks(before, blocks, digest), head };
  return commit(session, digested, marks, (batch) => storeGaps(batch, before, blocks, pauses));
}

/**
 * The same of a block that has a gap: its rows as far as nodes gave them now, and what it lacks still. The watermark stays, but
 * for its memo.
 */
export function commitGap(
  session: Session,
  before: Watermark,
  digested: DigestedBlocks,
  head: bigint,
  { gap, pauses }: { readonly gap: Gap; readonly pauses: GapPauses },
): Promise<Committed> {
  const [block] = digested.blocks;
  const { memo = before.memo } = digested.digest;
  const lacks = block?.lacks;
  const marks = { before, after: { ...before, memo }, head };
  return commit(session, digested, marks, (batch) =>
    lacks ? postponeGap(batch, gap, lacks, pauses) : closeGap(batch, gap),
  );
}

/** The same of the blocks right before the first one that is stored. */
export function commitBefore(
  session: Session,
  before: Watermark,
  digested: DigestedBlocks,
  head: bigint,
  pauses: GapPauses,
): Promise<Committed> {
  const { blocks, digest } = digested;
  const [first] = blocks;
  const last = blocks.at(-1);
  if (!first || !last) throw new RangeError('a batch has at least one block');
  const { memo = before.memo } = digest;
  const after = { ...before, first: first.height, firstParent: first.parent, memo };
  // Where no block after them is stored yet, the next one must follow them.
  const { lastId = last.id, lastTime = last.time } = before.next > before.first ? before : {};
  const marks = { before, after: { ...after, lastId, lastTime }, head };
  return commit(session, digested, marks, (batch) => storeGaps(batch, before, blocks, pauses));
}

interface Marks {
  readonly before: Watermark;
  /** But for its counters. */
  readonly after: Watermark;
  /** The newest height that is known. */
  readonly head: bigint;
}

async function commit(
  session: Session,
  { sets, digest }: DigestedBlocks,
  { before, after: place, head }: Marks,
  writeGaps: (batch: Batch) => Promise<void>,
): Promise<Committed> {
  let after = place;
  const done = await writeSets(session, sets, async (batch, written) => {
    await digest.state?.(batch);
    await writeGaps(batch);
    after = { ...after, counters: counted(before.counters, sets, written) };
    await moveWatermark(batch, before, after, head);
  });
  return {
    watermark: after,
    written: done.reduce((sum, { written }) => sum + written, 0),
    tables: new Set(sets.flatMap(({ kind }, place) => changedTables(kind, done[place]!))),
  };
}

/** The rows as their kind reads them; a sort that is never stored is left out, as from files. */
function readOwn({ kind, scope, rows }: KindRows, blocks: readonly Block[]): RowSet {
  const read: unknown[] = [];
  for (const row of rows)
    try {
      read.push(kind.read(row, scope));
    } catch (error) {
      if (error instanceof RowLeftOut) continue;
      if (!(error instanceof RowError)) throw error;
      throw new PipelineStopped(
        `a fault of Moraine: of the blocks ${blocks[0]?.height} to ${blocks.at(-1)?.height} it made a row for ` +
          `${kind.tables[0]} that it refuses (${error.message}): ${shorten(printJson(row), SHOWN_ROW)}`,
        { cause: error },
      );
    }
  return { kind, scope, rows: read };
}

/** The watermark after these blocks, but for its counters. */
export function afterBlocks(
  before: Watermark,
  blocks: readonly Block[],
  { memo = before.memo }: Digest,
): Watermark {
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
  for (const [place, { kind }] of sets.entries())
    counters[kind.tables[0]] = (counters[kind.tables[0]] ?? 0) + (done[place]?.written ?? 0);
  return counters;
}
