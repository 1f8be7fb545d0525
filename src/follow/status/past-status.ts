import type { FollowPipeline, FollowRange } from '../../generated/prisma/client.js';
import { costInWords } from './cost.js';

/** A range of the past that was begun. */
export interface RangeStatus {
  readonly first: bigint;
  /** Every block from `first` up to it, without it, is stored. */
  readonly next: bigint;
  /** The height after its last block. */
  readonly end: bigint;
  /** For people: why it waits; null while it is read. */
  readonly note: string | null;
}

/** What is left of the past of a pipeline, down to where the operator wants it. */
export interface PastStatus {
  readonly goal: bigint;
  /** Blocks that are not stored yet. */
  readonly left: bigint;
  /** How many are read in a second; null while it is not known. */
  readonly perSecond: number | null;
  /** Rows that a block has, on average of those that are stored, by table; null before the first. */
  readonly rows: Readonly<Record<string, number>> | null;
  /** The newest first. */
  readonly ranges: readonly RangeStatus[];
}

type StreamRow = Pick<
  FollowPipeline,
  'pastGoal' | 'firstHeight' | 'nextHeight' | 'counters' | 'pastBlocksPerHour'
>;
type RangeRow = Pick<FollowRange, 'firstHeight' | 'nextHeight' | 'endHeight' | 'note' | 'counters'>;

/** @param found the ranges of the pipeline @returns null where nothing of its past is wanted, or left */
export function pastOf(row: StreamRow, found: readonly RangeRow[]): PastStatus | null {
  const { pastGoal: goal, firstHeight, nextHeight, pastBlocksPerHour } = row;
  if (goal === null || firstHeight <= goal) return null;
  const below = found.filter(({ endHeight }) => endHeight > goal);
  const stored = below.reduce((sum, each) => sum + each.nextHeight - each.firstHeight, 0n);
  const blocks = Number(nextHeight - firstHeight + stored);
  const ranges = below
    .map((each) => ({ first: each.firstHeight, next: each.nextHeight, end: each.endHeight, note: each.note }))
    .sort((a, b) => Number(b.first - a.first));
  return {
    goal,
    left: firstHeight - goal - stored,
    perSecond: pastBlocksPerHour === null ? null : Number(pastBlocksPerHour) / 3600,
    rows: blocks === 0 ? null : rowsOfBlock([row, ...below], blocks),
    ranges,
  };
}

function rowsOfBlock(counted: readonly Pick<RangeRow, 'counters'>[], blocks: number): Record<string, number> {
  const rows: Record<string, number> = {};
  for (const { counters } of counted)
    for (const [table, count] of Object.entries(counters as Record<string, number>))
      rows[table] = (rows[table] ?? 0) + count / blocks;
  return rows;
}

/** What is left of the past, for people. */
export function pastInWords({ goal, left, perSecond, rows, ranges }: PastStatus): string {
  const shown = (height: bigint) => height.toLocaleString('en');
  const cost = costInWords({ blocks: left, perSecond, rows });
  const [newest] = ranges;
  const waiting = ranges.find(({ note }) => note !== null);
  const progress = newest
    ? `; ${ranges.length === 1 ? 'one range is' : `${ranges.length} ranges are`} read, the newest has ${shown(newest.next - newest.first)} of ${shown(newest.end - newest.first)} blocks from ${shown(newest.first)} on`
    : '';
  const waits = waiting ? `; that from ${shown(waiting.first)} on waits: ${waiting.note}` : '';
  return `of the past down to block ${shown(goal)} are missing ${cost}${progress}${waits}`;
}
