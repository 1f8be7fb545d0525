import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processorTime } from '../harness/processor.js';
import {
  countsOf,
  memoryOf,
  serverTimeOf,
  startFollower,
  type FollowerRun,
  type BenchChain,
} from './bench-chain.js';
import { timesOf, type TimeByUse } from './profile.js';

/** How fast a chain was followed, and in how much memory. */
export interface Speed {
  readonly blocks: number;
  readonly seconds: number;
  readonly transactions: number;
  readonly outputs: number;
  /** MiB: the most ever, and the mean of the second and of the last quarter of the run. */
  readonly memory: { readonly most: number; readonly second: number; readonly last: number };
}

const SAMPLE_MS = 250;

/** Follows the node's chain up to its head, from where the database stands. */
export async function measureSpeed(chain: BenchChain): Promise<Speed> {
  const before = await countsOf(chain);
  const run = startFollower(chain, { once: true });
  const samples: { at: number; memory: number }[] = [];
  let most = 0;
  let isRunning = true;
  const times = run.times.finally(() => (isRunning = false));
  while (isRunning) {
    const memory = memoryOf(run.process.pid!);
    if (memory.now > 0) samples.push({ at: Date.now(), memory: memory.now });
    most = Math.max(most, memory.most);
    await Promise.race([sleep(SAMPLE_MS), times]);
  }
  const { begun, ended } = await times;
  const after = await countsOf(chain);
  // Not while it starts.
  const during = samples.filter(({ at }) => at >= begun).map(({ memory }) => memory);
  const quarter = Math.max(1, Math.floor(during.length / 4));
  const mean = (part: readonly number[]) => part.reduce((sum, each) => sum + each, 0) / part.length;
  return {
    blocks: after.height - before.height,
    seconds: (ended - begun) / 1000,
    transactions: after.transactions - before.transactions,
    outputs: after.outputs - before.outputs,
    memory: { most, second: mean(during.slice(quarter, 2 * quarter)), last: mean(during.slice(-quarter)) },
  };
}

/** Where the processor's time goes, microseconds a block, of a run under Node.js's profiler. */
export async function measureTimes(chain: BenchChain, serverPid: number): Promise<TimeByUse> {
  const folder = mkdtempSync(join(tmpdir(), 'moraine-bench-profile-'));
  try {
    const before = await countsOf(chain);
    const of = { node: processorTime(chain.node.process.pid!), server: serverTimeOf(serverPid) };
    const options = ['--cpu-prof', `--cpu-prof-dir=${folder}`];
    const used = await usedBy(startFollower(chain, { once: true, options }));
    const { height } = await countsOf(chain);
    const blocks = height - before.height;
    const parts = timesOf(folder, used);
    parts.set('PostgreSQL', serverTimeOf(serverPid) - of.server);
    parts.set('the recorded node', processorTime(chain.node.process.pid!) - of.node);
    return new Map([...parts].map(([name, time]) => [name, time / blocks]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Processor time of a run, microseconds, but for its last moments. */
async function usedBy({ process: { pid = 0 }, times }: FollowerRun): Promise<number> {
  let used = 0;
  let isRunning = true;
  const ended = times.finally(() => (isRunning = false));
  while (isRunning) {
    used = Math.max(used, processorTime(pid));
    await Promise.race([sleep(SAMPLE_MS), ended]);
  }
  await ended;
  return used;
}
