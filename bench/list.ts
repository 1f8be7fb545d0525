import { otherOf } from './harness/against.js';
import { FULL, SHORT } from './list/compare.js';
import { compareOutputs } from './list/outputs.js';
import { compareCommits, compareRoutes } from './list/routes.js';
import { against, short, type Usage } from './harness/usage.js';

export const usage: Usage = {
  about:
    'The most used REST routes compared with the least that could serve them: separate processes on one database, the same load in interleaved rounds, equal answers checked first.',
  options: { ...short, ...against },
};

export async function run(args: string[]): Promise<void> {
  const length = args.includes('--short') ? SHORT : FULL;
  const other = otherOf(args);
  if (other) return compareCommits(other, length);
  await compareOutputs(length);
  await compareRoutes(length);
}
