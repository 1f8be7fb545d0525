import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openNode } from '../../src/follow/node/nodes.js';
import type { Storage } from '../../src/storage/open.js';
import { callsOf } from '../../test/avalanche/codec/recorded.js';
import { recordedLogs } from '../../test/harness/log-truth.js';
import { hasRecordedNode, recordedFile, startRecordedNode } from '../../test/harness/recorded-node.js';
import { recordedFrames } from '../../test/harness/trace-truth.js';
import { dataFolder, openBenchDatabase } from '../harness/database.js';
import { FAILED, judge, type Measure } from '../harness/measures.js';
import { tableOf } from '../harness/table.js';
import type { Other } from '../harness/against.js';
import { compareFollowing } from './against.js';
import { memoryOf, startFollower, startNode } from './bench-chain.js';

const NETWORK = 'network-a';
/** Milliseconds that the node takes for each answer: what is wanted is wanted of such a node. */
const LATENCY_MS = 20;
const WANTED = { blocks: 50, balances: 5000, memory: 400 };
/** Balances that are asked for, of the recorded accounts again and again. */
const BALANCES = { full: 50_000, short: 5000 };
/** Of the last recorded state. */
const STATE_AT = 550n;
const SAMPLE_MS = 50;

const streams = ['internals', 'logs', 'balances'] as const;

/** How a stream was followed from its first block to its last. */
interface Run {
  readonly stream: string;
  readonly blocks: number;
  readonly seconds: number;
  readonly requests: number;
  /** Resident memory of the follower, MiB, at most. */
  readonly memory: number;
}

/**
 * Where another checkout is compared, on a recorded chain that is repeated: of the time of its first thousand
 * blocks half is the compiler's.
 */
const COMPARED = {
  full: { warmUp: 5000, blocks: 4000, rounds: 5 },
  short: { warmUp: 600, blocks: 100, rounds: 1 },
};

/** Follows the streams of the C-chain of a recorded network, each by itself, into an empty database. */
export async function measureEvm(isShort: boolean, other: Other | null): Promise<void> {
  if (!hasRecordedNode) {
    print('no recorded network lies in ../shared/node: nothing is measured');
    process.exitCode = FAILED;
    return;
  }
  if (other) {
    const sizes = isShort ? COMPARED.short : COMPARED.full;
    const genesis = recordedFile(NETWORK, 'genesis.json');
    return compareFollowing(
      other,
      streams.map((stream) => ({ ...sizes, stream, genesis, startNode: () => startNode('evm-node.ts') })),
    );
  }
  print(
    `the C-chain of ${NETWORK}, answers after ${LATENCY_MS} ms; load before: ${loadavg()[0]?.toFixed(1)}`,
  );
  if (!process.env['BENCH_DATABASE_URL']) rmSync(dataFolder('follow-evm'), { recursive: true, force: true });
  const { storage } = await openBenchDatabase('follow-evm');
  const node = await startRecordedNode(NETWORK, { latencyMs: LATENCY_MS });
  try {
    const runs: Run[] = [];
    for (const stream of streams) runs.push(await followed(storage, node.url, stream));
    printRuns(runs);
    printGoals(runs, await balancesPerSecond(node.url, isShort ? BALANCES.short : BALANCES.full));
  } finally {
    await node.close();
    await storage.close();
  }
}

async function followed(storage: Storage, url: string, stream: string): Promise<Run> {
  const before = await requestsOf(storage);
  const genesis = recordedFile(NETWORK, 'genesis.json');
  const run = startFollower({ storage, node: { url } }, { once: true, only: stream, genesis });
  let memory = 0;
  let isRunning = true;
  const times = run.times.finally(() => (isRunning = false));
  while (isRunning) {
    memory = Math.max(memory, memoryOf(run.process.pid!).most);
    await Promise.race([sleep(SAMPLE_MS), times]);
  }
  const { begun, ended } = await times;
  const row = await storage.prisma.followPipeline.findFirstOrThrow({
    where: { name: { startsWith: `${stream}:` } },
  });
  return {
    stream,
    memory,
    blocks: Number(row.nextHeight - row.firstHeight),
    seconds: (ended - begun) / 1000,
    requests: (await requestsOf(storage)) - before,
  };
}

async function requestsOf({ prisma }: Storage): Promise<number> {
  const { _sum } = await prisma.followRequest.aggregate({ _sum: { count: true } });
  return Number(_sum.count ?? 0n);
}

/** Of all recorded accounts, as the pipeline asks for them. */
async function balancesPerSecond(url: string, count: number): Promise<number> {
  const calls = callsOf(NETWORK, 'c-state', true).filter(({ method }) => method === 'eth_getBalance');
  const known = [...new Set(calls.map(({ args }) => (args as unknown as [string])[0]))];
  const accounts = Array.from({ length: count }, (_, index) => known[index % known.length]!);
  const nodes = openNode([url], { log: pino({ level: 'silent' }) });
  try {
    // The first batches tell how many calls one may have.
    await nodes.evm.balances(accounts.slice(0, 1000), STATE_AT);
    const begun = performance.now();
    await nodes.evm.balances(accounts, STATE_AT);
    return count / ((performance.now() - begun) / 1000);
  } finally {
    await nodes.close();
  }
}

function printRuns(runs: readonly Run[]): void {
  const events: Record<string, number> = {
    internals: recordedFrames(NETWORK).length,
    logs: recordedLogs(NETWORK).length,
  };
  const rows = runs.map(({ stream, blocks, seconds, requests, memory }) => {
    const rate = (amount: number | undefined) => (amount === undefined ? '' : (amount / seconds).toFixed(0));
    const perBlock = (requests / blocks).toFixed(2);
    return [stream, String(blocks), rate(blocks), rate(events[stream]), perBlock, memory.toFixed(0)];
  });
  const columns = ['stream', 'blocks', 'blocks/s', 'frames or logs/s', 'requests a block', 'memory, MiB'];
  print(`each by itself\n${tableOf(columns, rows)}`);
}

function printGoals(runs: readonly Run[], balances: number): void {
  const measures: Measure[] = [
    ...runs.map(({ stream, blocks, seconds }) => ({
      name: `${stream} of the C-chain, blocks a second`,
      wanted: `at least ${WANTED.blocks}`,
      measured: (blocks / seconds).toFixed(0),
      isMet: blocks / seconds >= WANTED.blocks,
    })),
    {
      name: 'balances a second',
      wanted: `at least ${WANTED.balances}`,
      measured: balances.toFixed(0),
      isMet: balances >= WANTED.balances,
    },
    {
      name: 'memory at most, MiB',
      wanted: `at most ${WANTED.memory}`,
      measured: Math.max(...runs.map(({ memory }) => memory)).toFixed(0),
      isMet: runs.every(({ memory }) => memory <= WANTED.memory),
    },
  ];
  const rows = measures.map((each) => [
    each.name,
    each.wanted,
    each.measured,
    judge({ ...each, name: `following EVM chains: ${each.name}` }),
  ]);
  process.stdout.write(`${tableOf(['goal', 'wanted', 'measured', ''], rows)}\n`);
}

function print(line: string): void {
  process.stdout.write(`follow evm: ${line}\n`);
}
