import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Storage } from '../../src/storage/open.js';
import { connectTo } from '../../test/harness/connections.js';
import { recordedFile } from '../../test/harness/recorded-node.js';
import type { Other } from '../harness/against.js';
import { openBenchDatabase } from '../harness/database.js';
import { judge, type Measure } from '../harness/measures.js';
import { stopProcess } from '../harness/processes.js';
import { processorTime } from '../harness/processor.js';
import { tableOf } from '../harness/table.js';
import { emptyDatabase } from './against.js';
import { memoryOf, startFollower, startNode, type RepeatedNode } from './bench-chain.js';
import { profileFolder, profilerOptions, timesOf } from './profile.js';

/** Blocks that are followed, and those before them, which count nowhere: nothing is compiled yet. */
export const TOGETHER = {
  full: { warmUp: 4000, blocks: 100_000 },
  short: { warmUp: 600, blocks: 600 },
};
/** As every version names them. */
const STREAMS = ['c-atomic', 'internals', 'logs', 'balances'];
const WANTED = { ratio: 0.6, memory: 400 };
/** Calls that nothing can share: what an account has at the end of a day. */
const OWN_CALLS: ReadonlySet<string> = new Set(['eth_getBalance', 'eth_call']);
const LOOK_MS = 100;
/** Milliseconds without a new block after which a follower does not go on. */
const PATIENCE_MS = 120_000;

/** What a node was asked since its start. */
interface Asked {
  /** JSON-RPC calls by method, those of batches too. */
  readonly calls: Readonly<Record<string, number>>;
  /** HTTP requests. */
  readonly requests: number;
}

/** What the streams together used, for each block. */
interface Used {
  readonly calls: number;
  readonly requests: number;
  readonly byMethod: ReadonlyMap<string, number>;
  /** Processor time of the follower, microseconds. */
  readonly microseconds: number;
  readonly perSecond: number;
  /** Resident memory of the follower, MiB, at most. */
  readonly memory: number;
  /** Milliseconds in which the blocks were followed. */
  readonly tookMs: number;
}

/** All EVM streams of a chain followed by one follower, from the same block on. */
export async function measureTogether(
  { warmUp, blocks }: (typeof TOGETHER)['full'],
  other: Other | null,
): Promise<void> {
  const { storage } = await openBenchDatabase('follow-together');
  try {
    const used = new Map<string, Used>();
    if (other) used.set(other.name, await measure(storage, other.checkout, warmUp, blocks));
    const ours = await measure(storage, process.cwd(), warmUp, blocks);
    used.set('this checkout', ours);
    printUsed(blocks, used);
    printTimes(ours);
    printGoals(ours, other && { name: other.name, used: used.get(other.name)! });
  } finally {
    await storage.close();
  }
}

async function measure(storage: Storage, checkout: string, warmUp: number, blocks: number): Promise<Used> {
  const database = 'follow_together';
  const url = await emptyDatabase(storage, checkout, database);
  const client = await connectTo(url);
  const node = await startNode('evm-node.ts');
  const genesis = recordedFile('network-a', 'genesis.json');
  const { process: follower } = startFollower(
    { storage: { url }, node },
    { only: STREAMS.join(), genesis, checkout, options: profilerOptions(checkout) },
  );
  const { pid = 0 } = follower;
  /** The lowest block that every stream has. */
  const stored = async () => {
    const { rows } = await client.query<{ height: string | null }>(
      'SELECT CASE WHEN count(*) >= $1 THEN min(next_height) END AS height FROM follow_pipeline',
      [STREAMS.length],
    );
    return Number(rows[0]?.height ?? 0) - 1;
  };
  const follow = async (head: number) => {
    node.moveHead(head);
    let [height, since] = [-1, performance.now()];
    while (height < head) {
      const now = await stored();
      if (now > height) [height, since] = [now, performance.now()];
      if (follower.exitCode !== null || performance.now() - since > PATIENCE_MS)
        throw new Error(`the follower of ${checkout} does not go on from block ${height} to ${head}`);
      await sleep(LOOK_MS);
    }
  };
  try {
    await follow(warmUp);
    const [asked, time, begun] = [await askedOf(node), processorTime(pid), performance.now()];
    await follow(warmUp + blocks);
    const tookMs = performance.now() - begun;
    const microseconds = (processorTime(pid) - time) / blocks;
    const byMethod = perBlock(asked, await askedOf(node), blocks);
    const shared = [...byMethod].filter(([method]) => !OWN_CALLS.has(method));
    return {
      calls: shared.reduce((sum, [, count]) => sum + count, 0),
      requests: ((await askedOf(node)).requests - asked.requests) / blocks,
      byMethod,
      microseconds,
      perSecond: (1000 * blocks) / tookMs,
      memory: memoryOf(pid).most,
      tookMs,
    };
  } finally {
    await stopProcess(follower);
    await client.end();
    node.process.kill();
    await storage.session((session) => session.query(`DROP DATABASE ${database} WITH (FORCE)`));
  }
}

/** Where the processor's time of this checkout goes, if it was profiled. */
function printTimes({ microseconds, tookMs }: Used): void {
  const folder = profileFolder(process.cwd());
  if (folder === null) return;
  const rows = [...timesOf(folder, microseconds, tookMs)].map(([part, time]) => [part, time.toFixed(0)]);
  process.stdout.write(`${tableOf(['processor time for each block', 'µs'], rows)}\n`);
}

async function askedOf({ process: node }: RepeatedNode): Promise<Asked> {
  node.send({ asked: true });
  const [asked] = (await once(node, 'message')) as [Asked];
  return asked;
}

const perBlock = (before: Asked, after: Asked, blocks: number) =>
  new Map(
    Object.entries(after.calls)
      .map(([method, count]) => [method, (count - (before.calls[method] ?? 0)) / blocks] as const)
      .filter(([, count]) => count > 0)
      .sort(([, one], [, another]) => another - one),
  );

function printUsed(blocks: number, used: ReadonlyMap<string, Used>): void {
  const each = [...used.values()];
  const methods = new Set(each.flatMap(({ byMethod }) => [...byMethod.keys()]));
  const rows = [
    ...[...methods].map((method) => [
      method,
      ...each.map(({ byMethod }) => shown(byMethod.get(method) ?? 0)),
    ]),
    ['HTTP requests', ...each.map(({ requests }) => shown(requests))],
    ['processor time, µs', ...each.map(({ microseconds }) => microseconds.toFixed(0))],
    ['blocks a second', ...each.map(({ perSecond }) => perSecond.toFixed(0))],
    ['memory at most, MiB', ...each.map(({ memory }) => memory.toFixed(0))],
  ];
  process.stdout.write(
    `${STREAMS.join(', ')} of ${blocks.toLocaleString('en')} blocks, for each block\n` +
      `${tableOf(['call', ...used.keys()], rows)}\n`,
  );
}

const shown = (count: number) => count.toFixed(count < 0.1 ? 4 : 2);

function printGoals(ours: Used, other: { readonly name: string; readonly used: Used } | null): void {
  const ratioOf = (what: string, of: (used: Used) => number): Measure[] => {
    if (!other) return [];
    const ratio = of(ours) / of(other.used);
    const measured = `${ratio.toFixed(2)} (${of(ours).toFixed(2)} ÷ ${of(other.used).toFixed(2)})`;
    const wanted = `at most ${WANTED.ratio}`;
    return [{ name: `${what} ÷ ${other.name}'s`, wanted, measured, isMet: ratio <= WANTED.ratio }];
  };
  const measures: Measure[] = [
    ...ratioOf('JSON-RPC calls a block other than eth_getBalance and eth_call', ({ calls }) => calls),
    ...ratioOf('processor time a block, µs', ({ microseconds }) => microseconds),
    {
      name: 'memory at most, MiB',
      wanted: `at most ${WANTED.memory}`,
      measured: ours.memory.toFixed(0),
      isMet: ours.memory <= WANTED.memory,
    },
  ];
  const rows = measures.map((each) => [
    each.name,
    each.wanted,
    each.measured,
    judge({ ...each, name: `all EVM streams together: ${each.name}` }),
  ]);
  process.stdout.write(`${tableOf(['goal', 'wanted', 'measured', ''], rows)}\n`);
}
