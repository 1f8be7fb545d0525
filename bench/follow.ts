import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { compareFollowing, type Steps } from './follow/against.js';
import { measureEvm } from './follow/evm.js';
import { measureFreshness } from './follow/freshness.js';
import { measureImport } from './follow/import-limit.js';
import { measurePast } from './follow/past.js';
import { measureLists, type ListTimes } from './follow/lists.js';
import { openBenchChain, serverOf, startNode } from './follow/bench-chain.js';
import type { TimeByUse } from './follow/profile.js';
import { genesisFile, recordingName } from './follow/recording.js';
import { measureTimes, measureSpeed, type Speed } from './follow/speed.js';
import { measureTogether, TOGETHER } from './follow/together.js';
import { L1_VALIDATORS, measureLoading, STAKERS, type Loading } from './follow/stakers.js';
import { otherOf } from './harness/against.js';
import { judge, type Measure } from './harness/measures.js';
import { tableOf } from './harness/table.js';
import { against, short, type Usage } from './harness/usage.js';

/**
 * Blocks that are followed at first, and those under the profiler; blocks one by one; milliseconds of reading
 * lists.
 */
const FULL = {
  blocks: 40_000,
  profiled: 10_000,
  single: 40,
  lists: 8000,
  compared: { warmUp: 2000, blocks: 2000, rounds: 15 },
};
const SHORT = {
  blocks: 1000,
  profiled: 1000,
  single: 4,
  lists: 1500,
  compared: { warmUp: 300, blocks: 300, rounds: 2 },
};
/** Of them as many cannot be followed while lists are read. */
const AHEAD = 200_000;

const WANTED = { rate: 3000, memory: 400, growth: 1.1, visible: 1000, lists: 2, state: 0.1, loading: 10 };

export const usage: Usage = {
  about:
    'Follows the P-chain of a recorded network, repeated with other ids, into an empty database, and prints how fast that is, and how fast an import of the same rows, where the time goes, how much memory it takes, how soon a new block is in the REST API, and what lists feel of it. In the repeated chain stakes that end in the same second do not end in the order of their ids, which are others. So the state of stakers is not that of the chain from there on: a line says so, and estimated rewards are not written. The database is the embedded one in a separate folder, which is emptied, or the empty one that BENCH_DATABASE_URL names. Only on Linux.',
  rest: [
    '[what]',
    'evm: instead the streams of the C-chain of a recorded network, each by itself; together: all of them at the same time, on that chain repeated; past: their past, in one range and in several',
  ],
  options: {
    ...short,
    ...against,
    '--blocks <number>': `blocks that are followed at first, ${FULL.blocks.toLocaleString('en')} unless given: 2000000 shows that memory stays flat`,
  },
};

export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { short: { type: 'boolean' }, against: { type: 'string' }, blocks: { type: 'string' } },
  });
  const other = otherOf(args);
  if (positionals[0] === 'evm') return measureEvm(values.short ?? false, other);
  if (positionals[0] === 'together') {
    const { warmUp, blocks } = values.short ? TOGETHER.short : TOGETHER.full;
    return measureTogether({ warmUp, blocks: Number(values.blocks ?? blocks) }, other);
  }
  if (positionals[0] === 'past') return measurePast(values.short ?? false);
  const sizes = values.short ? SHORT : FULL;
  if (other) return compareFollowing(other, [stepsOf(sizes.compared)]);
  const blocks = Number(values.blocks ?? sizes.blocks);
  if (!Number.isSafeInteger(blocks) || blocks < 1000)
    throw new Error('--blocks takes a whole number from 1000');
  print(`the P-chain of ${recordingName}, repeated; load of the machine before: ${loadavg()[0]?.toFixed(1)}`);
  const chain = await openBenchChain();
  try {
    const server = await serverOf(chain);
    chain.node.moveHead(blocks - 1);
    const speed = await measureSpeed(chain);
    printSpeed(speed);
    const imported = await measureImport(chain, speed);
    chain.node.moveHead(blocks + sizes.profiled - 1);
    const parts = await measureTimes(chain, server);
    printTimes(parts);
    const visible = await measureFreshness(chain, sizes.single);
    const lists = await measureLists(chain, sizes.lists, AHEAD);
    print(`lists were read while ${lists.blocks.toLocaleString('en')} blocks were followed`);
    printGoals({ ...speed, imported }, visible, lists);
    printState(parts, await measureLoading(chain));
  } finally {
    await chain.close();
  }
}

const stepsOf = (sizes: Pick<Steps, 'warmUp' | 'blocks' | 'rounds'>): Steps => ({
  ...sizes,
  stream: 'p',
  genesis: genesisFile,
  startNode,
});

function printSpeed({ blocks, seconds, transactions, outputs }: Speed): void {
  const each = (count: number) => `${count.toLocaleString('en')} (${(count / seconds).toFixed(0)} a second)`;
  print(
    `${each(blocks)} blocks, ${each(transactions)} transactions, ${each(outputs)} outputs in ${seconds.toFixed(1)} s`,
  );
}

function printTimes(parts: TimeByUse): void {
  const rows = [...parts].map(([name, time]) => [name, time.toFixed(0)]);
  print(`where the time goes\n${tableOf(['part', 'processor time a block, µs'], rows)}`);
}

interface Followed extends Speed {
  /** Blocks a second that an import of the same rows writes. */
  readonly imported: number;
}

function printGoals(followed: Followed, visible: number[], lists: ListTimes): void {
  const { blocks, seconds, memory, imported } = followed;
  const ratio = quantile(lists.catchingUp, 0.99) / quantile(lists.alone, 0.99);
  const rate = blocks / seconds;
  const growth = memory.last / memory.second;
  const p95 = quantile(visible, 0.95);
  const measures: Measure[] = [
    {
      name: 'P-chain, blocks a second',
      wanted: `at least ${WANTED.rate}, or as an import of the same rows`,
      measured: `${rate.toFixed(0)} (import: ${imported.toFixed(0)})`,
      isMet: rate >= Math.min(WANTED.rate, imported),
    },
    {
      name: 'memory at most, MiB',
      wanted: `at most ${WANTED.memory}`,
      measured: memory.most.toFixed(0),
      isMet: memory.most <= WANTED.memory,
    },
    {
      name: 'memory, last quarter ÷ second',
      wanted: `at most ${WANTED.growth}`,
      measured: `${growth.toFixed(2)} (${memory.last.toFixed(0)} ÷ ${memory.second.toFixed(0)} MiB)`,
      isMet: growth <= WANTED.growth,
    },
    {
      name: 'a new block in REST, ms, p95 (p50)',
      wanted: `at most ${WANTED.visible}`,
      measured: `${p95.toFixed(0)} (${quantile(visible, 0.5).toFixed(0)})`,
      isMet: p95 <= WANTED.visible,
    },
    {
      name: "lists' p99, catching up ÷ alone",
      wanted: `less than ${WANTED.lists}`,
      measured: `${ratio.toFixed(2)} (${quantile(lists.catchingUp, 0.99).toFixed(0)} ÷ ${quantile(lists.alone, 0.99).toFixed(0)} ms)`,
      isMet: ratio < WANTED.lists,
    },
  ];
  print(`load of the machine after: ${loadavg()[0]?.toFixed(1)}`);
  printMeasures(measures);
}

/** What the state of stakers costs. */
function printState(parts: TimeByUse, { seconds, memory }: Loading): void {
  const state = parts.get('the state of stakers') ?? 0;
  const all = [...parts]
    .filter(([name]) => name !== 'the recorded node')
    .reduce((sum, [, time]) => sum + time, 0);
  const part = state / (all - state);
  const size = `${STAKERS.toLocaleString('en')} stakers and ${L1_VALIDATORS.toLocaleString('en')} L1 validators`;
  printMeasures([
    {
      name: 'state of stakers ÷ all else that following takes',
      wanted: `at most ${WANTED.state}`,
      measured: part.toFixed(3),
      isMet: part <= WANTED.state,
    },
    {
      name: `${size} load, s`,
      wanted: `at most ${WANTED.loading}`,
      measured: `${seconds.toFixed(2)} (${memory.toFixed(0)} MiB)`,
      isMet: seconds <= WANTED.loading,
    },
  ]);
}

function printMeasures(measures: readonly Measure[]): void {
  const rows = measures.map((each) => [
    each.name,
    each.wanted,
    each.measured,
    judge({ ...each, name: `following: ${each.name}` }),
  ]);
  process.stdout.write(`${tableOf(['goal', 'wanted', 'measured', ''], rows)}\n`);
}

/** @param sorted ascending */
const quantile = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;

function print(line: string): void {
  process.stdout.write(`follow: ${line}\n`);
}
