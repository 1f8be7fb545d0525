import { parseArgs } from 'node:util';
import { otherOf } from './harness/against.js';
import { openBenchDatabase } from './harness/database.js';
import { compareCommits } from './import/commits.js';
import { comparePrices } from './import/histories.js';
import { measureOneBlock } from './import/one-block.js';
import { compareWithCopy, measureMemory } from './import/outputs.js';
import { against, short, type Usage } from './harness/usage.js';

/** `prices`: nine imports a round, so that with more rounds the run would take half an hour. */
const FULL = {
  outputs: 200_000,
  transactions: 40_000,
  rounds: 5,
  prices: { transactions: 10_000, rounds: 3 },
  blocks: 500,
};
const SHORT = {
  outputs: 4_000,
  transactions: 500,
  rounds: 1,
  prices: { transactions: 500, rounds: 1 },
  blocks: 50,
};

export const usage: Usage = {
  about:
    'The cost of an import of outputs compared with a plain COPY of what it writes, its memory, the cost of one small block, and what an import of transactions pays for derived tables.',
  options: {
    ...short,
    ...against,
    '--outputs <number>': 'with --against: outputs alone, and so many',
  },
};

export async function run(args: string[]): Promise<void> {
  const options = {
    short: { type: 'boolean' },
    against: { type: 'string' },
    outputs: { type: 'string' },
  } as const;
  const { values } = parseArgs({ args, options });
  const sizes = values.short ? SHORT : FULL;
  const other = otherOf(args);
  const alone = values.outputs === undefined ? undefined : Number(values.outputs);
  if (alone !== undefined && !(other && Number.isSafeInteger(alone) && alone > 0))
    throw new Error('--outputs takes a whole number, together with --against');
  if (other)
    return compareCommits(other, alone === undefined ? sizes : { outputs: alone, rounds: sizes.rounds });
  const { storage, env } = await openBenchDatabase('import');
  try {
    await compareWithCopy(storage, env, sizes.outputs);
    await measureMemory(storage, env, sizes.transactions);
    await measureOneBlock(storage, sizes.blocks);
    await comparePrices(storage, sizes.prices);
  } finally {
    await storage.close();
  }
}
