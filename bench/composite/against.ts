import { NO_WORSE, runHere, runThere, type Other } from '../harness/against.js';
import { inRounds } from '../harness/rounds.js';
import { median, ratios, spread, verdict } from '../harness/statistics.js';

const ROUNDS = 3;

/** The times of pages in this checkout and in another one, each by its own benchmark on data of its own, in turn. */
export async function compareCommits(other: Other): Promise<void> {
  const runs = [() => runHere('composite'), () => runThere(other, 'composite')];
  const [ours = [], theirs = []] = await inRounds(runs, ROUNDS, async (run) => timesIn(await run()));
  for (const name of ours[0]?.keys() ?? []) {
    const of = (rounds: readonly Map<string, number>[]) => rounds.map((times) => times.get(name) ?? NaN);
    const found = ratios(of(ours), of(theirs));
    console.log(
      `${name}: time ÷ that of ${other.name} ${spread(found)}, wanted at most ${1 + NO_WORSE}: ${verdict(median(found) <= 1 + NO_WORSE)}; milliseconds: ours ${spread(of(ours), 1)}, theirs ${spread(of(theirs), 1)}`,
    );
  }
}

/** Milliseconds of each page, by operator and name. @throws Error where there are none */
export function timesIn(printed: string): Map<string, number> {
  const times = new Map<string, number>();
  let operator = '';
  for (const line of printed.split('\n')) {
    operator = /^(AND|OR):/.exec(line)?.[1] ?? operator;
    const [, page, time] = /^ {2}((?:first|next) page.*?) {2,}([\d.]+) /.exec(line) ?? [];
    if (page !== undefined) times.set(`${operator}, ${page}`, Number(time));
  }
  if (times.size === 0) throw new Error(`the benchmark printed no times:\n${printed}`);
  return times;
}
