/**
 * The lowest height of [low, high] whose block was made at a time or later, given that the one of `high` was,
 * or is above the head. By halves: times never fall along a chain.
 *
 * @param timeOf the time of a block, Unix seconds; never asked for `high`
 * @param time Unix seconds
 * @throws what `timeOf` throws
 */
export async function firstSince(
  timeOf: (height: bigint) => Promise<number>,
  time: number,
  low: bigint,
  high: bigint,
): Promise<bigint> {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) / 2n;
    if ((await timeOf(middle)) >= time) to = middle;
    else from = middle + 1n;
  }
  return to;
}
