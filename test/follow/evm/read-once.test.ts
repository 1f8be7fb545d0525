import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startFollowing } from '../../harness/followed.js';
import { dumpFollowed } from '../../harness/followed-dump.js';
import { RecordedStream } from '../../harness/recorded-c-chain.js';
import { hasRecordedNode, recordedFile } from '../../harness/recorded-node.js';

const [FIRST, LAST] = [60, 100];
const streams = ['c-atomic', 'internals', 'nfts', 'messages'] as const;

describe.runIf(hasRecordedNode)('all streams of a C-chain at its head', () => {
  const stream = new RecordedStream('internals', async (storage) =>
    Object.entries(await dumpFollowed(storage)),
  );

  test('each block, trace and receipt is requested once', async () => {
    await stream.node.moveHeads({ C: FIRST });
    const counts = new Map<string, number>();
    const url = await stream.alter(({ method, params }) => {
      const [name, isWhole] = Array.isArray(params) ? (params as unknown[]) : [];
      const key = `${method} ${String(name)} ${method === 'eth_getBlockByNumber' ? String(isWhole) : ''}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return null;
    });
    const { storage } = stream.database;
    const genesis = recordedFile('network-a', 'genesis.json');
    const following = await startFollowing(storage, { urls: [url], genesis, only: streams });
    const until = async (height: number) => {
      const are = async () => {
        const rows = await storage.prisma.followPipeline.findMany();
        return rows.length === streams.length && rows.every(({ nextHeight }) => nextHeight > height);
      };
      while (!(await are())) await sleep(10);
    };
    const followTo = async (last: number) => {
      for (let head = last - 19; head <= last; head += 1) {
        await stream.node.moveHeads({ C: head });
        if (head % 5 === 0) await until(head);
      }
    };
    await until(FIRST);
    // Where a stream goes on is known from its second range on.
    await followTo(FIRST + 20);
    counts.clear();
    await followTo(LAST);
    await following.stop();
    const ofBlocks = [...counts].filter(([key]) => /^(?:debug_|eth_getBlock)/.test(key));
    expect(ofBlocks.filter(([key]) => key.startsWith('debug_')).length).toBeGreaterThan(10);
    expect(ofBlocks.filter(([key]) => key.startsWith('eth_getBlockReceipts')).length).toBeGreaterThan(5);
    expect(ofBlocks.filter(([, count]) => count > 1)).toEqual([]);
  });
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
