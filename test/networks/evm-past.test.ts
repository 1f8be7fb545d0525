import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { shareOf } from '../../src/follow/loop/range-lanes.js';
import { until } from '../harness/embedded.js';
import { followOnce, startFollowing, type ToFollow } from '../harness/followed.js';
import { exportDatabase, runExport } from '../harness/export.js';
import { dumpFollowed } from '../harness/followed-dump.js';
import { createImportDatabase, runImport } from '../harness/ingest.js';
import { differencesOf } from '../harness/moved.js';
import { chainIdOf, RecordedStream } from '../harness/recorded-c-chain.js';
import { hasRecordedNode, networksOf, recordedFile } from '../harness/recorded-node.js';
import { refusing } from '../harness/refused-trace.js';
import { isInternal, recordedFrames } from '../harness/trace-truth.js';

/** Heights of which the recording of network A has balances. */
const [EARLY, LATE] = [50, 300];
/** Before the genesis. */
const ALL = { since: 0 };

describe
  .runIf(hasRecordedNode)
  .each([
    ...networksOf('network-c').flatMap((network) => [
      ['internals', network] as const,
      ['nfts', network] as const,
      ['messages', network] as const,
    ]),
    ['balances', 'network-a'] as const,
  ])('the past of %s of %s, read backward', (name, network) => {
  const stream = new RecordedStream(
    name,
    async (storage) => Object.entries(await dumpFollowed(storage)),
    LATE,
    network,
  );
  const given = (more: Partial<ToFollow> = {}): ToFollow => ({
    urls: [stream.node.url],
    genesis: recordedFile(network, 'genesis.json'),
    only: [name],
    ...more,
  });
  const row = () => stream.database.storage.prisma.followPipeline.findFirstOrThrow();
  const follow = (more: Partial<ToFollow>) => followOnce(stream.database.storage, given(more));

  test('forward from the head and then backward is what forward alone is, table by table', async () => {
    await stream.node.moveHeads({ C: EARLY });
    expect(await follow({ from: { [name]: 'now' as const } })).toEqual([]);
    expect(await row()).toMatchObject({ firstHeight: 51n, nextHeight: 51n });
    await stream.node.moveHeads({ C: LATE });
    expect(await follow({ from: { [name]: ALL } })).toEqual([]);
    expect(await row()).toMatchObject({ firstHeight: 0n, nextHeight: BigInt(LATE + 1) });
    expect(await stream.dump()).toEqual(stream.whole);
  });

  test.each([1, 2, 8])(
    'read in %i ranges at once, which stop on their way: the same tables',
    async (lanes) => {
      const ranges = shareOf(0, 1, lanes);
      await stream.node.moveHeads({ C: LATE });
      for (const milliseconds of [60, 120]) {
        const following = await startFollowing(
          stream.database.storage,
          given({ from: { [name]: ALL }, ranges }),
        );
        await sleep(milliseconds);
        expect(await following.stop()).toEqual([]);
      }
      expect(await follow({ from: { [name]: ALL }, ranges })).toEqual([]);
      expect(await row()).toMatchObject({ firstHeight: 0n, nextHeight: BigInt(LATE + 1) });
      expect(await stream.database.storage.prisma.followRange.count()).toBe(0);
      expect(await stream.dump()).toEqual(stream.whole);
    },
  );

  test('where no block was stored, the past is, and the next block follows it', async () => {
    await stream.node.moveHeads({ C: EARLY });
    expect(await follow({ from: { [name]: ALL } })).toEqual([]);
    expect(await row()).toMatchObject({ firstHeight: 0n, nextHeight: BigInt(EARLY + 1) });
    await stream.node.moveHeads({ C: LATE });
    await stream.follow();
    expect(await stream.dump()).toEqual(stream.whole);
  });

  test('it is read down to the first block of a day or time, and goes on from there when an earlier one is named', async () => {
    const block = await fetch(`${stream.node.url}/ext/bc/C/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_getBlockByNumber',
        params: [`0x${(LATE - 100).toString(16)}`, false],
      }),
    });
    const { result } = (await block.json()) as { result: { timestamp: string } };
    const since = Number(result.timestamp);
    expect(await follow({ from: { [name]: { since } } })).toEqual([]);
    const { firstHeight } = await row();
    expect(firstHeight).toBeGreaterThan(100n);
    expect(firstHeight).toBeLessThanOrEqual(BigInt(LATE - 100));
    // A later one changes nothing.
    expect(await follow({ from: { [name]: { since: since + 10 } } })).toEqual([]);
    expect((await row()).firstHeight).toBe(firstHeight);
    expect(await follow({ from: { [name]: ALL } })).toEqual([]);
    expect(await stream.dump()).toEqual(stream.whole);
  });

  test('new blocks come while the past waits for a node, which says why', async () => {
    await stream.node.moveHeads({ C: EARLY });
    expect(await follow({ from: { [name]: 'now' as const } })).toEqual([]);
    const lost = { past: true };
    const url = await stream.alter(({ method, params }) => {
      const height = Number((params as [string])[0]);
      return lost.past && method === 'eth_getBlockByNumber' && height > 0 && height <= EARLY
        ? { error: { code: -32000, message: `block ${height} not found` } }
        : null;
    });
    const following = await startFollowing(stream.database.storage, {
      ...given({ urls: [url], from: { [name]: ALL }, node: { patienceMs: 50 } }),
    });
    await stream.node.moveHeads({ C: LATE });
    await until(async () => (await row()).nextHeight === BigInt(LATE + 1));
    expect((await row()).firstHeight).toBe(51n);
    lost.past = false;
    await until(async () => (await row()).firstHeight === 0n);
    expect(await following.stop()).toEqual([]);
    expect(await stream.dump()).toEqual(stream.whole);
  });

  test('a block of the past that is not the parent of the first stored one is waited for, with both ids', async () => {
    await stream.node.moveHeads({ C: EARLY });
    expect(await follow({ from: { [name]: 'now' as const } })).toEqual([]);
    await stream.node.moveHeads({ C: LATE });
    const { storage } = stream.database;
    await stream.follow();
    await storage.prisma.followPipeline.updateMany({ data: { firstParent: `0x${'1'.repeat(64)}` } });
    const both = new RegExp(
      `has a block 50 of ${name}:${chainIdOf[network]} \\(0x\\w{64}\\) that is not the parent of our block 51 \\(0x1{64}\\)`,
    );
    const following = await startFollowing(storage, given({ from: { [name]: ALL } }));
    await until(async () => both.test((await storage.prisma.followRange.findFirst())?.note ?? ''));
    expect(await following.stop()).toEqual([]);
    expect((await row()).firstHeight).toBe(51n);
  });

  test.runIf(name === 'internals')(
    'ranges that are open are part of an export, and go on elsewhere',
    async () => {
      const files = exportDatabase();
      const other = await createImportDatabase();
      try {
        const { storage } = stream.database;
        // A block in the middle of a range is missing at first.
        const lost = `0x${(LATE - 40).toString(16)}`;
        const url = await stream.alter(({ method, params }) =>
          method === 'eth_getBlockByNumber' && (params as [string])[0] === lost
            ? { error: { code: -32000, message: 'not found' } }
            : null,
        );
        const ranges = shareOf(0, 1, 4);
        const following = await startFollowing(storage, {
          ...given({ urls: [url], from: { [name]: ALL }, ranges, node: { patienceMs: 50 } }),
        });
        const open = () => storage.prisma.followRange.findMany({ orderBy: { firstHeight: 'asc' } });
        await until(
          async () => (await open()).filter((each) => each.nextHeight === each.endHeight).length > 1,
        );
        expect(await following.stop()).toEqual([]);
        expect((await open()).length).toBeGreaterThan(2);

        await runExport(storage, files.path('open'));
        const { rejected } = await runImport(other.storage, files.list('open'));
        expect(rejected).toBe(0);
        expect(await differencesOf(storage, other.storage)).toEqual([]);
        expect(await followOnce(other.storage, given({ from: { [name]: ALL }, ranges }))).toEqual([]);
        expect(Object.entries(await dumpFollowed(other.storage))).toEqual(stream.whole);
      } finally {
        files.drop();
        await other.close();
      }
    },
  );

  test.runIf(name === 'internals')('a gap in the past is one, and is filled later', async () => {
    const lost = recordedFrames(network).find(
      (each) => isInternal(each) && each.frame.to !== undefined && each.blockNumber < EARLY,
    )!;
    const url = await stream.alter(refusing(() => [lost.txHash]));
    await stream.node.moveHeads({ C: EARLY });
    expect(await follow({ urls: [url], from: { [name]: ALL } })).toEqual([]);
    const { prisma } = stream.database.storage;
    expect(await prisma.followGap.findMany()).toMatchObject([{ height: BigInt(lost.blockNumber) }]);
    await stream.node.moveHeads({ C: LATE });
    await stream.follow();
    expect(await prisma.followGap.count()).toBe(0);
    expect(await stream.dump()).toEqual(stream.whole);
  });
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
