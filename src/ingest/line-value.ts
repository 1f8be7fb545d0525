import { parseJson } from '../json.js';
import { RowError } from '../rows/errors.js';

// The only ways in which a line of valid UTF-8 can contain what PostgreSQL's text cannot.
const MAY_HOLD_BAD_CHARACTER = /\\u(?:0000|d[89a-f])/i;
const UNPAIRED_SURROGATE = /\p{Surrogate}/u;
const DEEPEST = 64;

/**
 * The JSON value of one line; whole numbers beyond 2^53-1 are bigints.
 *
 * @throws RowError when it is not JSON, is nested deeper than 64 levels or contains a character that cannot be stored
 */
export function parseLine(text: string): unknown {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    if (error instanceof RangeError) throw new RowError(`is nested deeper than ${DEEPEST} levels`);
    throw new RowError(`is not JSON: ${(error as Error).message}`);
  }
  checkDepth(value, DEEPEST);
  if (MAY_HOLD_BAD_CHARACTER.test(text)) checkCharacters(value);
  return value;
}

// PostgreSQL refuses deep JSON with a stack depth error, which would fail the whole batch.
function checkDepth(value: unknown, left: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (left === 0) throw new RowError(`is nested deeper than ${DEEPEST} levels`);
  for (const each of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    checkDepth(each, left - 1);
  }
}

function checkCharacters(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new RowError('contains the character U+0000, which cannot be stored');
    if (UNPAIRED_SURROGATE.test(value))
      throw new RowError('contains half of a surrogate pair, which is not a character');
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      checkCharacters(key);
      checkCharacters(each);
    }
  }
}
