/*
 * The position of a row in a list, as its page token contains it: the row, and a mark (hash) of the values
 * that it is sorted by and that an import can change. If these have changed since, the next page would begin
 * elsewhere, and rows would be missing or come twice.
 */

// 36 bits number 68 billion rows; a changed value goes unnoticed once in 67 million times.
const ROW_BITS = 36n;
const MARK_BITS = 26n;
export const POSITION_BITS = ROW_BITS + MARK_BITS;
const MARK = (1n << MARK_BITS) - 1n;

/** The position of a row. @throws RangeError for a row number that no token can contain */
export function positionOf(row: bigint, mark: bigint): bigint {
  if (row < 0n || row >> ROW_BITS) throw new RangeError(`row ${row} does not fit a page token`);
  return (row << MARK_BITS) | mark;
}

/** The row of a position. */
export const rowAt = (position: bigint): bigint => position >> MARK_BITS;

/** SQL of the row of a position. */
export const rowText = (position: string) => `(${position} >> ${MARK_BITS})`;

/** SQL of the mark of a position. */
export const markAtText = (position: string) => `(${position} & ${MARK})`;

/** SQL of the mark of values, which are numbers. */
export function markText(values: readonly string[]): string {
  if (values.length === 0) return '0';
  const hashes = values.map((value) => `coalesce(hash_numeric_extended((${value})::numeric, 0), 0)`);
  // Two values that are swapped have another mark.
  return `((${hashes.join(' # -')}) & ${MARK})`;
}

/** SQL of the position of a row. */
export const positionText = (row: string, mark: string) => `(((${row})::bigint << ${MARK_BITS}) | ${mark})`;
