import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { until } from '../harness/embedded.js';
import { networkFilling } from '../harness/followed.js';
import { dumpFollowed, dumpOf } from '../harness/followed-dump.js';
import { createImportDatabase, type ImportDatabase } from '../harness/ingest.js';
import { launch, type Launched } from '../harness/launched.js';
import { openNodeProxy, type NodeFaults } from '../harness/node-proxy.js';
import { Random } from '../harness/random.js';
import {
  hasRecordedNode,
  recordedFile,
  startRecordedNode,
  type RecordedNode,
} from '../harness/recorded-node.js';
import { followThroughFaults } from '../harness/through-faults.js';

const KILLS = Number(process.env['FOLLOW_KILLS'] ?? 6);
const streams = ['internals', 'nfts', 'messages'] as const;

describe.runIf(hasRecordedNode).each([
  { network: 'network-a', head: 550 },
  { network: 'network-c', head: 579 },
] as const)('internal transactions and logs of $network', ({ network, head }) => {
  const genesis = hasRecordedNode ? recordedFile(network, 'genesis.json') : '';
  const random = new Random(34);
  let node: RecordedNode;
  let database: ImportDatabase;
  let whole: Record<string, unknown[]>;
  const running: Launched[] = [];

  beforeAll(async () => {
    whole = await dumpOf(networkFilling(network, streams));
    // So slow that a process is killed on its way.
    node = await startRecordedNode(network, { latencyMs: 10 });
  });
  beforeEach(async () => {
    database = await createImportDatabase();
  });
  afterEach(async () => {
    for (const each of running.splice(0)) if (!each.hasEnded()) await each.stop('SIGKILL');
    await database.close();
  });
  afterAll(async () => {
    await node.close();
    adoptIdentities({});
  });

  const startWith = (url: string, ...more: string[]) => {
    const args = ['--genesis', genesis, '--as', 'fuji', '--only', streams.join()];
    const follower = launch(['follow', url, ...args, ...more], { DATABASE_URL: database.url });
    running.push(follower);
    return follower;
  };
  const start = (...more: string[]) => startWith(node.url, ...more);

  test('of a whole run are many rows', () => {
    expect(whole['internal_tx']!.length).toBeGreaterThan(300);
    expect(whole['nft_token']!.length).toBeGreaterThan(30);
    expect(whole['chain']).toHaveLength(1);
    expect(whole['follow_pipeline']).toHaveLength(3);
  });

  test('a follower that is killed -9 at random moments: the same rows', async () => {
    let midway = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const follower = start('--once');
      await follower.says(/: from block/);
      await sleep(random.below(400));
      if (!follower.hasEnded()) midway += 1;
      await follower.stop('SIGKILL');
    }
    expect(midway).toBeGreaterThan(0);
    const last = start('--once');
    expect((await last.ended).code, last.output()).toBe(0);
    expect(await dumpFollowed(database.storage)).toEqual(whole);
  });

  test.each([2, 8])(
    'the past in %i ranges and two processes, of which one is killed -9 at random moments, behind a proxy that is slow and lies: the same rows',
    { timeout: 300_000 },
    async (ranges) => {
      const past = ['--from', ...streams.map((name) => `${name}=0`)];
      const begun = start('--once', '--from', ...streams.map((name) => `${name}=now`));
      expect((await begun.ended).code, begun.output()).toBe(0);
      const all = [...past, '--ranges', String(ranges), '--processes', '2', '--once'];
      const faults = { delayMs: 30, cut: 0.02, unavailable: 0.02, swap: 0.02, flip: 0.02, empty: 0.02 };
      const proxy = await openNodeProxy(node.url, { seed: ranges, faults });
      const lies = () => Math.min(proxy.counts.swap ?? 0, proxy.counts.flip ?? 0);
      let midway = 0;
      try {
        // Each takes two starts.
        for (let kill = 0; kill < KILLS / 2; kill += 1) {
          const follower = startWith(proxy.url, ...all);
          await follower.says(/: from block/);
          // By calls, not by time: a machine may be fast or slow. All of the past takes more of them.
          const goal = proxy.calls() + random.below(24);
          const isLast = kill + 1 >= KILLS / 2;
          const isReached = () => proxy.calls() >= goal && (lies() > 0 || !isLast);
          await until(() => Promise.resolve(follower.hasEnded() || isReached()));
          const [other] = await childrenOf(follower.pid);
          if (other !== undefined && kill % 2 === 0) {
            process.kill(other, 'SIGKILL');
            await sleep(random.below(200));
          }
          if (!follower.hasEnded()) midway += 1;
          await follower.stop('SIGKILL');
        }
        expect(midway).toBeGreaterThan(0);
        expect(lies()).toBeGreaterThan(0);
      } finally {
        await proxy.close();
      }
      expect(await database.storage.prisma.followRange.count()).toBeGreaterThan(0);
      // What it left out is a gap: an honest node fills it in.
      const last = start(...all);
      expect((await last.ended).code, last.output()).toBe(0);
      expect(await database.storage.prisma.followRange.count()).toBe(0);
      expect(await dumpFollowed(database.storage)).toEqual(whole);
    },
  );

  test('two followers at once, of which the one that works is killed -9: the other takes over, to the same rows', async () => {
    await node.moveHeads({ C: 300 });
    const first = start();
    await first.says(/: from block/);
    const second = start();
    await second.says(/another follower writes this chain; this one stands by/);
    await first.stop('SIGKILL');
    await node.moveHeads({ C: head });
    await until(async () => {
      const rows = await database.storage.prisma.followPipeline.findMany();
      return rows.every(({ nextHeight }) => nextHeight === BigInt(head + 1));
    });
    expect((await second.stop()).code, second.output()).toBe(0);
    expect(withoutNames(await dumpFollowed(database.storage))).toEqual(withoutNames(whole));
  });

  test.each<Partial<NodeFaults>>([
    { delayMs: 40, cut: 0.05, tooMany: 0.05, unavailable: 0.05 },
    { lag: 8, oldHead: 0.5 },
    { swap: 0.02, flip: 0.02 },
    { empty: 0.05 },
  ])('a node with %j gives the rows of an honest one, or a stop that says why', async (faults) => {
    const given = { urls: [node.url], genesis, only: streams };
    const counts = await followThroughFaults(database.storage, given, faults, whole);
    for (const fault of ['cut', 'tooMany', 'unavailable', 'swap', 'flip', 'empty'] as const)
      if (faults[fault]) expect(counts[fault]).toBeGreaterThan(0);
  });
});

/** The processes that a process started. */
async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

/**
 * Without what tokens are called: contracts are asked at the head, and the recording has their answers at the
 * last one alone.
 */
const withoutNames = ({ icm_message: messages, ...rows }: Awaited<ReturnType<typeof dumpFollowed>>) => ({
  ...rows,
  icm_message: messages!.map((row) =>
    String(row).replaceAll(/"(?:name|symbol)": "[^"]*"|"decimals": \d+/g, ''),
  ),
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
