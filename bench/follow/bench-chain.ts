import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { dataFolder, openBenchDatabase } from '../harness/database.js';
import { endedTime, parentOf, serverTime } from '../harness/processor.js';
import type { Storage } from '../../src/storage/open.js';
import { genesisFile } from './recording.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const program = join(root, 'bin', 'moraine.mjs');

/** What Node.js is given by `npm run moraine` of a checkout. */
function moraineOf(checkout: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    scripts: { moraine: string };
  };
  const [, ...given] = scripts.moraine.split(' ');
  return given.map((each) => (each.startsWith('-') ? each : join(checkout, each)));
}

/** An empty database, and a node of a repeated chain. */
export interface BenchChain {
  readonly storage: Storage;
  readonly node: RepeatedNode;
  close: () => Promise<void>;
}

export interface RepeatedNode {
  readonly url: string;
  readonly process: ChildProcess;
  /** To this height, or the next one where it may stand. */
  moveHead: (height: number) => void;
}

export async function openBenchChain(): Promise<BenchChain> {
  // The data of the run before: a chain is followed from its first block on.
  if (!process.env['BENCH_DATABASE_URL']) rmSync(dataFolder('follow'), { recursive: true, force: true });
  const [{ storage }, node] = await Promise.all([openBenchDatabase('follow'), startNode()]);
  return {
    storage,
    node,
    close: async () => {
      node.process.kill();
      await storage.close();
    },
  };
}

/**
 * @param program of the node: that of a P-chain, or of a C-chain
 * @param settings of its environment
 */
export async function startNode(
  program: 'node.ts' | 'evm-node.ts' = 'node.ts',
  settings: Readonly<Record<string, string>> = {},
): Promise<RepeatedNode> {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const child = fork(file, { execArgv: ['--import', 'tsx'], env: { ...process.env, ...settings } });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return { url, process: child, moveHead: (head) => child.send({ head }) };
}

/** What a run of the follower used and said. */
export interface FollowerRun {
  readonly process: ChildProcess;
  /** Milliseconds since 1970 of its first block and of its end. */
  readonly times: Promise<{ begun: number; ended: number }>;
}

/** What is followed, and how. */
interface RunOptions {
  readonly once?: boolean;
  /** Of Node.js. */
  readonly options?: readonly string[];
  /** The stream; the P-chain when absent. */
  readonly only?: string;
  /** Path of the genesis file; the repeated chain's when absent. */
  readonly genesis?: string;
  /** Whose follower it is; this one's when absent. */
  readonly checkout?: string;
  /** More arguments of the command. */
  readonly more?: readonly string[];
}

/** Starts the follower of one stream. */
export function startFollower(
  { storage, node }: { readonly storage: Pick<Storage, 'url'>; readonly node: Pick<RepeatedNode, 'url'> },
  {
    once: isOnce = false,
    options = [],
    only = 'p',
    genesis = genesisFile,
    checkout = root,
    more = [],
  }: RunOptions = {},
): FollowerRun {
  const given = ['--as', 'fuji', '--only', only, '--genesis', genesis, ...(isOnce ? ['--once'] : [])];
  const env = { ...process.env, DATABASE_URL: storage.url, MIGRATE: 'off', LOG_FORMAT: 'json' };
  const child = spawn(
    process.execPath,
    [...options, ...moraineOf(checkout), 'follow', node.url, ...given, ...more],
    {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  return { process: child, times: timesOf(child, only) };
}

async function timesOf(child: ChildProcess, stream: string): Promise<{ begun: number; ended: number }> {
  const beginning = new RegExp(`^(?:${stream.replaceAll(',', '|')})(?::\\d+)?: from block`);
  let begun = NaN;
  let ended = NaN;
  const lines = createInterface({ input: child.stdout! });
  lines.on('line', (line) => {
    const { time, level, msg } = JSON.parse(line) as { time: number; level: number; msg: string };
    if (level > 30) console.log(msg);
    if (beginning.test(msg)) begun = time;
    ended = time;
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== null && code !== 0) throw new Error(`the follower ended with ${code}`);
  return { begun, ended };
}

/** Resident memory of a process and the most that it ever was, MiB; 0 when it has ended. */
export function memoryOf(pid: number): { now: number; most: number } {
  const text = readStatus(pid);
  const read = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024;
  return { now: read('VmRSS'), most: read('VmHWM') };
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

/** What the database has of the P-chain. */
export async function countsOf({ storage }: Pick<BenchChain, 'storage'>) {
  const row = await storage.prisma.followPipeline.findUnique({
    where: { network_name: { network: 'fuji', name: 'p' } },
  });
  const [transactions, outputs] = await Promise.all([
    storage.prisma.transaction.count(),
    storage.prisma.utxo.count(),
  ]);
  return { height: Number(row?.nextHeight ?? 0n), transactions, outputs };
}

/** The process of PostgreSQL that starts the others. */
export async function serverOf({ storage }: Pick<BenchChain, 'storage'>): Promise<number> {
  const [row] = await storage.prisma.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  return parentOf(row?.pid ?? 0);
}

/** Its processor time with that of all backends, those that have ended too, microseconds. */
export const serverTimeOf = (pid: number): number => serverTime(pid) + endedTime(pid);
