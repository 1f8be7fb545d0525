import { otherOf } from './harness/against.js';
import { FULL, SHORT } from './list/compare.js';
import { compareOutputs } from './list/outputs.js';
import { compareCommits, compareRoutes } from './list/routes.js';

/**
 * The REST routes that are asked most against the least that could serve them: processes of their own on one database, the
 * same load in interleaved rounds, equal answers checked first.
 *
 * @param args `--short`, only to see that it works. `--against FOLDER`: instead against another checkout, built, which has
 *   a database of its own with the same rows
 */
export async function run(args: string[]): Promise<void> {
  const length = args.includes('--short') ? SHORT : FULL;
  const other = otherOf(args);
  if (other) return compareCommits(other, length);
  await compareOutputs(length);
  await compareRoutes(length);
}
