import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../../src/avalanche/identity.js';
import { followOnce } from '../../harness/followed.js';
import { dumpFollowed } from '../../harness/followed-dump.js';
import { createImportDatabase, type ImportDatabase } from '../../harness/ingest.js';
import { launch } from '../../harness/launched.js';
import type { NodeFaults } from '../../harness/node-proxy.js';
import { Random } from '../../harness/random.js';
import { HEAD } from '../../harness/recorded-c-chain.js';
import {
  hasRecordedNode,
  networksOf,
  recordedFile,
  startRecordedNode,
  type RecordedNode,
} from '../../harness/recorded-node.js';
import { followThroughFaults } from '../../harness/through-faults.js';

const only = ['internals', 'nfts', 'messages'] as const;

// Whole networks, with more kills and faults: test/networks/evm-faults.test.ts.
describe.runIf(hasRecordedNode).each(networksOf('network-a'))(
  'the first blocks of the C-chain of %s',
  (network) => {
    const genesis = hasRecordedNode ? recordedFile(network, 'genesis.json') : '';
    let node: RecordedNode;
    let database: ImportDatabase;
    let whole: Record<string, unknown[]>;

    beforeAll(async () => {
      node = await startRecordedNode(network, { heads: { C: HEAD }, latencyMs: 20 });
      const honest = await createImportDatabase();
      expect(await followOnce(honest.storage, { urls: [node.url], genesis, only })).toEqual([]);
      whole = await dumpFollowed(honest.storage);
      await honest.close();
    });
    beforeEach(async () => {
      database = await createImportDatabase();
    });
    afterEach(() => database.close());
    afterAll(async () => {
      await node.close();
      adoptIdentities({});
    });

    test('killed -9 and started again at once by another follower: the same rows', async () => {
      const random = new Random(34);
      const args = [
        'follow',
        node.url,
        '--genesis',
        genesis,
        '--as',
        'fuji',
        '--only',
        only.join(),
        '--once',
      ];
      const start = () => launch(args, { DATABASE_URL: database.url });
      for (let kill = 0; kill < 2; kill += 1) {
        const follower = start();
        await follower.says(/: from block/);
        await sleep(random.below(200));
        await follower.stop('SIGKILL');
      }
      const last = [start(), start()];
      for (const each of last) expect((await each.ended).code, each.output()).toBe(0);
      expect(await dumpFollowed(database.storage)).toEqual(whole);
    });

    test.each<Partial<NodeFaults>>([
      { cut: 0.05, tooMany: 0.05, unavailable: 0.05 },
      { swap: 0.01, flip: 0.01, empty: 0.03 },
    ])('from a node with %j: the same rows, or a stop that says why', async (faults) => {
      const given = { urls: [node.url], genesis, only };
      const counts = await followThroughFaults(database.storage, given, faults, whole);
      for (const fault of Object.keys(faults)) expect(Object.keys(counts)).toContain(fault);
    });
  },
);

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
