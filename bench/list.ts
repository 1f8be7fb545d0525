import { otherOf } from './harness/against.js';
import { FULL, SHORT } from './list/compare.js';
import { compareOutputs } from './list/outputs.js';
import { compareCommits, compareRoutes } from './list/routes.js';

/**
 * The most used REST routes compared with the least that could serve them: separate processes on one database, the same
 * load in interleaved rounds, equal answers checked first.
 *
 * @param args `--short`, only to see that it works. `--against FOLDER`: instead compared with another checkout, built,
 * which has its own database with the same rows
 */
export async function run(args: string[]): Promise<void> {
  const length = args.includes('--short') ? SHORT : FULL;
  const other = otherOf(args);
  if (other) return compareCommits(other, length);
  await compareOutputs(length);
  await compareRoutes(length);
}
