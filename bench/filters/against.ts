import { NO_WORSE, runHere, runThere, type Other } from '../harness/against.js';
import { judge } from '../harness/measures.js';
import { verdict } from '../harness/statistics.js';
import { tableOf } from '../harness/table.js';

/** Blocks of the pages of a set of filters. */
type Blocks = readonly number[];

/**
 * The blocks that pages of each set of filters read in this checkout and in another one, each by its own
 * benchmark on its own data.
 *
 * @returns whether all reach the goal
 */
export async function compareCommits(other: Other): Promise<boolean> {
  const ours = blocksIn(await runHere('filters'));
  const theirs = blocksIn(await runThere(other, 'filters'));
  const rows = [...ours].flatMap(([filters, here]) => {
    const there = theirs.get(filters);
    return there ? [{ filters, here, there, ratio: sum(here) / sum(there) }] : [];
  });
  const isAsWanted = ({ ratio }: { ratio: number }) => ratio <= 1 + NO_WORSE;
  const cells = rows.map((row) => [
    row.filters,
    row.here.join(', '),
    row.there.join(', '),
    row.ratio.toFixed(2),
    verdict(isAsWanted(row)),
  ]);
  console.log(
    `Blocks of 8 kB that pages touch under the plan for all parameters: page 1, page 10,000, pages of 0, 1 and 10 matches\n\n` +
      tableOf(['filters', 'ours', other.name, 'ratio of the sums', 'verdict'], cells),
  );
  const added = [...ours.keys()].filter((filters) => !theirs.has(filters));
  if (added.length > 0) console.log(`\nonly here: ${added.join('; ')}`);
  const isMet = rows.every(isAsWanted);
  const worst = Math.max(...rows.map(({ ratio }) => ratio)).toFixed(2);
  const judged = judge({
    name: `filters, the worst set: blocks ÷ those of ${other.name}`,
    wanted: `at most ${1 + NO_WORSE}`,
    measured: worst,
    isMet,
  });
  console.log(
    `\nThe worst of ${rows.length} sets ${worst} times that of ${other.name}, wanted at most ${1 + NO_WORSE} for each: ${judged}`,
  );
  return isMet;
}

const sum = (blocks: Blocks) => blocks.reduce((all, each) => all + each, 0);

/**
 * By set of filters; a later line of the same set, under another plan, does not count.
 *
 * @throws Error if there are none
 */
export function blocksIn(printed: string): Map<string, Blocks> {
  const blocks = new Map<string, Blocks>();
  for (const line of printed.split('\n')) {
    const cells = line.split('|').map((cell) => cell.trim());
    const [filters = '', matches = ''] = cells.slice(1);
    if (!/^[\d,]+$/.test(matches) || blocks.has(filters)) continue;
    // The ratio of the two pages before is between them.
    blocks.set(filters, [...cells.slice(3, 5), ...cells.slice(6, 9)].map(Number));
  }
  if (blocks.size === 0) throw new Error(`the benchmark printed no blocks:\n${printed}`);
  return blocks;
}
