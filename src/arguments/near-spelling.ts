import { badInput, quote } from '../errors.js';

/** Most unknown names that are compared: an address has room for thousands. */
const MOST_NAMES = 64;
/** Longest name that is compared, characters. */
const LONGEST_NAME = 40;

/**
 * Refuses misspelt names of known ones: page_size, Addresses, addresses[], adress. Without this a misspelt
 * filter would be ignored and its list would show too much. Other names are ignored.
 *
 * @param names as they were given
 * @param within what precedes the names in messages
 * @throws AppError BAD_USER_INPUT that names each and the right one
 */
export function refuseNearSpellings(names: readonly string[], known: readonly string[], within = ''): void {
  const others = names.filter((name) => !known.includes(name)).slice(0, MOST_NAMES);
  const problems = others.flatMap((name) => {
    const meant = known.find((each) => isNear(name, each));
    return meant === undefined ? [] : [`${within}${meant}: was given as ${quote(name)}; write ${meant}`];
  });
  if (problems.length > 0) throw badInput(problems);
}

function isNear(name: string, known: string): boolean {
  if (name.length > LONGEST_NAME) return false;
  const [given, meant] = [plain(name), plain(known)];
  // A parameter of another service, or a second one of ours: pageToken2.
  if (/\d$/.test(given) && !/\d$/.test(meant)) return false;
  return given === meant || isWithin(given, meant, mistakesIn(meant));
}

/** A name without the differences of style: without index, separators and capitals. */
function plain(name: string): string {
  return name
    .replace(/(\[[^\]]*\]?|\.\d+)+$/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** Most letters that may be wrong. Short names, such as `to`, are close to too many others. */
function mistakesIn({ length }: string): number {
  return length < 5 ? 0 : length < 9 ? 1 : 2;
}

/** Whether so many insertions, deletions, replacements or swaps turn one text into the other. */
function isWithin(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const other = (last[j - 1] ?? 0) + (isSame ? 0 : 1);
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : other;
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, other, swapped));
    }
    [before, last] = [last, row];
  }
  return (last[b.length] ?? 0) <= most;
}
