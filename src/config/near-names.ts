/** How many slips a misspelt name may have: short names are close to many words. */
const slipsIn = ({ length }: string) => (length < 9 ? 1 : length < 14 ? 2 : 3);

/**
 * The known name that a name was most likely meant to be: another spelling of it (`log-level`, `LOGLEVEL`,
 * `MORAINE_LOG_LEVEL`), or one a few slips away.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const letters = lettersOf(name.replace(/^moraine[_-]?/i, ''));
  const same = known.find((each) => lettersOf(each) === letters);
  if (same) return same;
  return known.find((each) => slips(lettersOf(each), letters) <= slipsIn(each));
}

const lettersOf = (name: string) => name.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** Number of letters to insert, remove, replace or swap with the next one. */
function slips(from: string, to: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = (row[j - 1] ?? 0) + Number(from[i - 1] !== to[j - 1]);
      const least = Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      const exchanged = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      next.push(exchanged ? Math.min(least, (before[j - 2] ?? 0) + 1) : least);
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
}
