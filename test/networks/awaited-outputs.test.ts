import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import type { StreamName } from '../../src/config/follow-settings.js';
import { followOnce } from '../harness/followed.js';
import { dumpFollowed } from '../harness/followed-dump.js';
import { createImportDatabase, type ImportDatabase } from '../harness/ingest.js';
import {
  hasRecordedNode,
  recordedFile,
  startRecordedNode,
  type RecordedNode,
} from '../harness/recorded-node.js';

const streams = ['p', 'x', 'x-dag', 'x-vertices', 'c-atomic'] as const;
/** What nodes are asked for transactions by their ids. */
const byId = ['platform.getTx', 'avm.getTx', 'avax.getAtomicTx'];
/** A busy machine stores nothing for ten seconds, after which a stream would ask nodes. */
const waits = { lookMs: 100, stillMs: 300_000, mostMs: 600_000 };
const databases: ImportDatabase[] = [];

afterEach(async () => {
  await Promise.all(databases.splice(0).map((each) => each.close()));
});
afterAll(() => adoptIdentities({}));

async function open(): Promise<ImportDatabase> {
  const database = await createImportDatabase();
  databases.push(database);
  return database;
}

async function askedById({ storage }: ImportDatabase): Promise<number> {
  const requests = await storage.prisma.followRequest.findMany({ where: { method: { in: byId } } });
  return requests.reduce((sum, { count }) => sum + Number(count), 0);
}

describe.runIf(hasRecordedNode).each(['network-a', 'network-c'] as const)('%s', (network) => {
  let node: RecordedNode;
  beforeEach(async () => {
    node = await startRecordedNode(network, { latencyMs: 5 });
  });
  afterEach(() => node.close());

  const follow = async ({ storage }: ImportDatabase, only: readonly StreamName[]) =>
    expect(
      await followOnce(storage, {
        urls: [node.url],
        genesis: recordedFile(network, 'genesis.json'),
        only,
        waits,
      }),
    ).toEqual([]);

  test('streams that are followed together find what they consume in each other’s rows, which are those of streams that ask nodes', async () => {
    const [together, alone] = [await open(), await open()];
    await follow(together, streams);
    for (const each of streams) await follow(alone, [each]);
    // The P-chain asks for each staking transaction whose stake ends, whatever is stored.
    const ends = await together.storage.prisma.transaction.count({ where: { txType: 'RewardValidatorTx' } });
    const [found, asked] = [(await askedById(together)) - ends, (await askedById(alone)) - ends];
    console.log(
      `${network}: ${found} transactions are read from the node by their ids, and ${asked} by streams one after another`,
    );
    expect(asked).toBeGreaterThan(300);
    expect(found).toBeLessThan(asked / 3);
    expect(await dumpFollowed(together.storage)).toEqual(await dumpFollowed(alone.storage));
  });
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
