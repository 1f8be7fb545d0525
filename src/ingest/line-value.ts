import { parseJson } from '../json.js';
import { RowError } from '../rows/errors.js';
import { MOST_LEVELS, unstorable } from '../rows/storable-json.js';

/**
 * The JSON value of one line; whole numbers beyond 2^53-1 are bigints.
 *
 * @throws RowError when it is not JSON, is nested deeper than 64 levels or contains a character that cannot
 *   be stored
 */
export function parseLine(text: string): unknown {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    if (error instanceof RangeError) throw new RowError(`is nested deeper than ${MOST_LEVELS} levels`);
    throw new RowError(`is not JSON: ${(error as Error).message}`);
  }
  const problem = unstorable(value, text);
  if (problem !== null) throw new RowError(problem);
  return value;
}
