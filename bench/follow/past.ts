import { once } from 'node:events';
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
import { memoryOf, startFollower, startNode, type RepeatedNode } from './bench-chain.js';
import { yearOf } from './year.js';

/** Milliseconds in which a node traces a block at its head, without using a core of this machine. */
const TRACE_MS = 47;
const STREAMS = 'internals,nfts,messages,balances';
/** As many that the start of the processes counts for little. */
const SIZES = { full: 20_000, short: 4000 };
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

const ONE: Way = { name: 'one range', ranges: 1, processes: 1 };
/** As docs/following.md has it. */
const SEVERAL: Way = { name: '8 ranges, 2 processes', ranges: 8, processes: 2 };

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
    const node = await startNode('evm-node.ts', { TRACE_MS: String(TRACE_MS) });
    try {
      const transactions = (await prepare(node, blocks)) / blocks;
      const one = await measure(storage, node, ONE, blocks);
      const several = await measure(storage, node, SEVERAL, blocks);
      printRuns(blocks, [one, several]);
      const measured = [one, several].map((run) => ({ ...run, rate: blocks / run.seconds }));
      print(yearOf(measured, transactions));
      printGoals(one, several);
    } finally {
      node.process.kill();
    }
  } finally {
    await storage.close();
  }
}

/**
 * The node makes its answers before they are asked for: its own time counts nowhere.
 *
 * @returns how many transactions its blocks have
 */
async function prepare(node: RepeatedNode, blocks: number): Promise<number> {
  node.moveHead(RECORDED + blocks);
  node.process.send({ prepared: RECORDED + 1 });
  const [{ transactions }] = (await once(node.process, 'message')) as [{ transactions: number }];
  return transactions;
}

function printRuns(blocks: number, runs: readonly Run[]): void {
  const rows = runs.map((run) => [
    run.name,
    (blocks / run.seconds).toFixed(0),
    run.processor.toFixed(0),
    run.memory.toFixed(0),
  ]);
  print(`the past\n${tableOf(['read in', 'blocks/s', 'processor time a block, µs', 'memory, MiB'], rows)}`);
}

async function measure(storage: Storage, node: RepeatedNode, way: Way, blocks: number): Promise<Run> {
  const url = await emptyDatabase(storage, process.cwd(), 'follow_past');
  const genesis = recordedFile('network-a', 'genesis.json');
  const streams = STREAMS.split(',');
  const run = (more: readonly string[]) =>
    startFollower({ storage: { url }, node }, { once: true, only: STREAMS, genesis, more });
  await run(['--from', ...streams.map((name) => `${name}=now`)]).times;
  const from = streams.map((name) => `${name}=${RECORDED + 1}`);
  const { ranges, processes } = way;
  const past = run(['--from', ...from, '--ranges', String(ranges), '--processes', String(processes)]);
  const used = watch(past.process.pid!);
  const { begun, ended } = await past.times;
  const { processor, memory } = await used();
  return { ...way, seconds: (ended - begun) / 1000, processor: processor / blocks, memory };
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

function printGoals(one: Run, several: Run): void {
  const rate = one.seconds / several.seconds;
  const processor = several.processor / one.processor;
  const memory = Math.max(one.memory, several.memory);
  const measures: Measure[] = [
    {
      name: `blocks a second of ${several.name} ÷ one range`,
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
