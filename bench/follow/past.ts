import { readFileSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Storage } from '../../src/storage/open.js';
import { hasRecordedNode, recordedFile } from '../../test/harness/recorded-node.js';
import { dataFolder, openBenchDatabase } from '../harness/database.js';
import { FAILED, judge, type Measure } from '../harness/measures.js';
import { processorTime } from '../harness/processor.js';
import { tableOf } from '../harness/table.js';
import { emptyDatabase } from './against.js';
import { memoryOf, startFollower, startNode } from './bench-chain.js';

/** Milliseconds in which a node traces a block at its head, without using a core of this machine. */
const TRACE_MS = 47;
const STREAMS = 'internals,logs,balances';
const SIZES = { full: 12_000, short: 400 };
/** Blocks that are not repeated stand at the beginning. */
const RECORDED = 551;
const WANTED = { rate: 1.6, processor: 1.1, memory: 400 };
const SAMPLE_MS = 100;

/** How the past is read. */
interface Way {
  readonly name: string;
  readonly ranges: number;
  readonly processes: number;
}

const ways: readonly [Way, ...Way[]] = [
  { name: 'one range', ranges: 1, processes: 1 },
  { name: '4 ranges, one process', ranges: 4, processes: 1 },
  { name: '4 ranges, 2 processes', ranges: 4, processes: 2 },
  { name: '8 ranges, 2 processes', ranges: 8, processes: 2 },
];

interface Run extends Way {
  readonly seconds: number;
  /** Of all processes of the follower, microseconds a block. */
  readonly processor: number;
  /** Of the process that took most, MiB. */
  readonly memory: number;
}

/** Reads the past of all streams of a repeated C-chain in one range, and in several. */
export async function measurePast(isShort: boolean): Promise<void> {
  if (!hasRecordedNode) {
    print('no recorded network lies in ../shared/node: nothing is measured');
    process.exitCode = FAILED;
    return;
  }
  const blocks = isShort ? SIZES.short : SIZES.full;
  print(
    `${blocks.toLocaleString('en')} blocks of ${STREAMS} of a node that answers a trace after ${TRACE_MS} ms; load before: ${loadavg()[0]?.toFixed(1)}`,
  );
  if (!process.env['BENCH_DATABASE_URL']) rmSync(dataFolder('follow-past'), { recursive: true, force: true });
  const { storage } = await openBenchDatabase('follow-past');
  try {
    const runs: Run[] = [];
    for (const way of ways) runs.push(await measure(storage, way, blocks));
    const rows = runs.map((run) => [
      run.name,
      (blocks / run.seconds).toFixed(0),
      run.processor.toFixed(0),
      run.memory.toFixed(0),
    ]);
    print(`the past\n${tableOf(['read in', 'blocks/s', 'processor time a block, µs', 'memory, MiB'], rows)}`);
    printGoals(runs);
  } finally {
    await storage.close();
  }
}

async function measure(storage: Storage, way: Way, blocks: number): Promise<Run> {
  const url = await emptyDatabase(storage, process.cwd(), 'follow_past');
  const node = await startNode('evm-node.ts', { TRACE_MS: String(TRACE_MS) });
  const genesis = recordedFile('network-a', 'genesis.json');
  const streams = STREAMS.split(',');
  const run = (more: readonly string[]) =>
    startFollower({ storage: { url }, node }, { once: true, only: STREAMS, genesis, more });
  try {
    node.moveHead(RECORDED + blocks);
    await run(['--from', ...streams.map((name) => `${name}=now`)]).times;
    const from = streams.map((name) => `${name}=${RECORDED + 1}`);
    const { ranges, processes } = way;
    const past = run(['--from', ...from, '--ranges', String(ranges), '--processes', String(processes)]);
    const used = watch(past.process.pid!);
    const { begun, ended } = await past.times;
    const { processor, memory } = await used();
    return { ...way, seconds: (ended - begun) / 1000, processor: processor / blocks, memory };
  } finally {
    node.process.kill();
  }
}

/** Watches a process and those that it starts, until the returned function is called. */
function watch(pid: number): () => Promise<{ processor: number; memory: number }> {
  const times = new Map<number, number>();
  let memory = 0;
  let isRunning = true;
  const watching = (async () => {
    while (isRunning) {
      for (const each of [pid, ...childrenOf(pid)]) {
        times.set(each, Math.max(times.get(each) ?? 0, processorTime(each)));
        memory = Math.max(memory, memoryOf(each).most);
      }
      await sleep(SAMPLE_MS);
    }
  })();
  return async () => {
    isRunning = false;
    await watching;
    return { processor: [...times.values()].reduce((sum, time) => sum + time, 0), memory };
  };
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
  } catch {
    // It ended.
    return [];
  }
}

function printGoals([one, ...others]: readonly Run[]): void {
  if (!one) return;
  const best = others.reduce((a, b) => (b.seconds < a.seconds ? b : a));
  const rate = one.seconds / best.seconds;
  const processor = best.processor / one.processor;
  const memory = Math.max(one.memory, ...others.map((run) => run.memory));
  const measures: Measure[] = [
    {
      name: `blocks a second of ${best.name} ÷ one range`,
      wanted: `at least ${WANTED.rate}`,
      measured: rate.toFixed(2),
      isMet: rate >= WANTED.rate,
    },
    {
      name: 'processor time a block ÷ one range',
      wanted: `at most ${WANTED.processor}`,
      measured: processor.toFixed(2),
      isMet: processor <= WANTED.processor,
    },
    {
      name: 'memory of each process at most, MiB',
      wanted: `at most ${WANTED.memory}`,
      measured: memory.toFixed(0),
      isMet: memory <= WANTED.memory,
    },
  ];
  const rows = measures.map((each) => [
    each.name,
    each.wanted,
    each.measured,
    judge({ ...each, name: `the past of EVM chains: ${each.name}` }),
  ]);
  process.stdout.write(`${tableOf(['goal', 'wanted', 'measured', ''], rows)}\n`);
}

function print(line: string): void {
  process.stdout.write(`follow past: ${line}\n`);
}
