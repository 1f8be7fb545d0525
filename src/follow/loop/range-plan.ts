/** Heights from `first` up to `end`, without it. */
export interface Heights {
  readonly first: bigint;
  readonly end: bigint;
}

/** A range of the past, as its row has it: every block of [first, next) is stored. */
export interface BegunRange extends Heights {
  readonly next: bigint;
}

/** A range that is to be read. */
export interface OpenRange extends Heights {
  readonly isBegun: boolean;
  /** Which lane reads it, if it has nothing newer to read. */
  readonly lane: number;
}

/** The bounds of the blocks of a range. All are powers of two. */
const LEAST_BLOCKS = 32n;
const MOST_BLOCKS = 4096n;
/**
 * Ranges for each lane, as long as so many blocks are missing: a lane that is faster than another one does
 * not wait for it.
 */
const RANGES_A_LANE = 4n;

/**
 * How many blocks the next ranges have: fewer towards the end, so that all lanes end at about the same time.
 *
 * @param missing blocks that are to be read
 * @param lanes how many ranges are read at once
 */
export function rangeBlocks(missing: bigint, lanes: number): bigint {
  const most = missing / (RANGES_A_LANE * BigInt(lanes));
  let blocks = LEAST_BLOCKS;
  while (blocks < MOST_BLOCKS && blocks * 2n <= most) blocks *= 2n;
  return blocks;
}

/**
 * The ranges that are to be read now, the newest first: those that were begun, and those into which the
 * blocks above, between and below them are cut. Cuts are at multiples of a size, so that the streams of a
 * chain cut alike, and share what they read.
 *
 * @param missing the blocks right below those that are stored; none when it ends where it begins
 * @param begun ranges that were begun in it, in any order; whole ones too
 * @param lanes how many ranges are read at once
 */
export function openRanges(missing: Heights, begun: readonly BegunRange[], lanes: number): OpenRange[] {
  if (missing.first >= missing.end) return [];
  const size = rangeBlocks(missing.end - missing.first, lanes);
  const laneOf = (first: bigint) => Number((first / size) % BigInt(lanes));
  const found: OpenRange[] = [];
  const cut = (first: bigint, end: bigint) => {
    for (let top = end; top > first;) {
      const aligned = ((top - 1n) / size) * size;
      const bottom = aligned > first ? aligned : first;
      found.push({ first: bottom, end: top, isBegun: false, lane: laneOf(bottom) });
      top = bottom;
    }
  };
  const inOrder = begun
    .filter(({ end }) => end <= missing.end && end > missing.first)
    .sort((a, b) => Number(b.first - a.first));
  let top = missing.end;
  for (const { first, next, end } of inOrder) {
    cut(end, top);
    if (next < end) found.push({ first, end, isBegun: true, lane: laneOf(first) });
    top = first;
  }
  // Far below the first missing block nothing is begun: what is stored there could not join for long.
  const lowest = missing.end - size * BigInt(lanes) * RANGES_A_LANE;
  cut(lowest > missing.first ? lowest : missing.first, top);
  return found;
}

/** The same in the order in which a lane tries to take them: its own, and then those of others. */
export const inOrderOf = (lane: number, open: readonly OpenRange[]): OpenRange[] => [
  ...open.filter((each) => each.lane === lane),
  ...open.filter((each) => each.lane !== lane),
];
