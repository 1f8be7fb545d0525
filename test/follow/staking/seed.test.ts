import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../../src/avalanche/identity.js';
import { decodePTransaction } from '../../../src/avalanche/codec/p-transaction.js';
import { openNode } from '../../../src/follow/node/nodes.js';
import { readForkTimes } from '../../../src/follow/node-facts.js';
import { seedState } from '../../../src/follow/staking/seed.js';
import { readState } from '../../../src/follow/staking/store.js';
import { createPool, poolOf, storageOn } from '../../harness/connections.js';
import { createDatabase } from '../../harness/database.js';
import { networkFilling } from '../../harness/followed.js';
import { hasRecordedNode, startRecordedNode } from '../../harness/recorded-node.js';

const signal = new AbortController().signal;

describe.runIf(hasRecordedNode).each(['network-a', 'network-c'] as const)('%s', (network) => {
  afterAll(() => adoptIdentities({}));

  test('the state that its node says is the one that follows of all blocks', async () => {
    const node = await startRecordedNode(network);
    const database = await createDatabase({ filling: networkFilling(network) });
    const storage = storageOn(createPool(database.url, 4));
    const nodes = openNode([node.url], { log: pino({ level: 'silent' }) });
    try {
      const { platform } = nodes;
      const given = {
        ...{ platform, terms: { signal } },
        durangoTime: (await readForkTimes(nodes, signal)).durangoTime,
        transaction: async (id: string) => decodePTransaction(await platform.transaction(id)),
      };
      const height = await platform.height();
      expect(await seedState(height - 1n, given)).toBeNull();
      const seeded = await seedState(height, given);
      const followed = (await readState(storage, 'fuji'))?.state;
      const { accrued = 0n } = followed?.fee ?? {};
      expect(seeded?.stakers).toEqual(followed?.stakers);
      expect(seeded?.supplies).toEqual(followed?.supplies);
      expect(seeded).toMatchObject({
        time: followed?.time,
        fee: { excess: followed?.fee.excess, accrued: 0n },
      });
      const byId = (a: { validationId: string }, b: { validationId: string }) =>
        a.validationId < b.validationId ? -1 : 1;
      const l1 = [...(followed?.l1Validators ?? [])].sort(byId);
      expect([...(seeded?.l1Validators ?? [])].sort(byId)).toMatchObject(
        l1.map(({ validationId, subnetId, nodeId, weight, endFee, owner }) => ({
          ...{ validationId, subnetId, nodeId, weight, owner },
          endFee: endFee > 0n ? endFee - accrued : 0n,
        })),
      );
    } finally {
      await nodes.close();
      await poolOf(storage).end();
      await database.drop();
      await node.close();
    }
  });
});
