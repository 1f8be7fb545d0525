/** Levels of a line: PostgreSQL's stack depth error for deep JSON would fail the whole batch. */
export const MOST_LEVELS = 64;

// The only ways in which JSON of valid UTF-8 can contain what PostgreSQL's text cannot.
const MAY_HOLD_BAD_CHARACTER = /\\u(?:0000|d[89a-f])/i;
const UNPAIRED_SURROGATE = /\p{Surrogate}/u;

/**
 * Why a JSON value cannot be stored as it is, for people, or null.
 *
 * @param text from which it was read
 */
export function unstorable(value: unknown, text: string, levels = MOST_LEVELS): string | null {
  if (!isWithin(value, levels)) return `is nested deeper than ${levels} levels`;
  return MAY_HOLD_BAD_CHARACTER.test(text) ? badCharacter(value) : null;
}

function isWithin(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (left === 0) return false;
  for (const each of Array.isArray(value) ? (value as unknown[]) : Object.values(value))
    if (!isWithin(each, left - 1)) return false;
  return true;
}

function badCharacter(value: unknown): string | null {
  if (typeof value === 'string') {
    if (value.includes('\0')) return 'contains the character U+0000, which cannot be stored';
    return UNPAIRED_SURROGATE.test(value)
      ? 'contains half of a surrogate pair, which is not a character'
      : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, each] of Object.entries(value)) {
    const problem = badCharacter(key) ?? badCharacter(each);
    if (problem !== null) return problem;
  }
  return null;
}
