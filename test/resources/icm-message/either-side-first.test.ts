import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeSets } from '../../../src/write/transaction.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { histories, setOf, shownOf } from '../../harness/message-history.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());

test('a message is the same whichever side, event or file comes first, in whichever batches', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (batches) => {
      for (const table of ['icm_message', 'icm_chain', 'icm_waiting'])
        await poolOf(gateway.storage).query(`DELETE FROM ${table}`);
      for (const batch of batches)
        await gateway.storage.session((session) => writeSets(session, batch.map(setOf)));
      const { body } = await gateway.get('/v1/icm/messages?pageSize=100');
      const shown = (body.messages as Record<string, any>[]).map((row) => [
        row['messageId'] as string,
        {
          sourceTransaction: row['sourceTransaction'],
          destinationTransaction: row['destinationTransaction'],
          reward: row['rewardDetails'].value,
          status: row['status'],
          messageExecuted: row['messageExecuted'],
          receiptDelivered: row['receiptDelivered'],
          sourceEvmChainId: row['sourceEvmChainId'],
          destinationEvmChainId: row['destinationEvmChainId'],
        },
      ]);
      expect(new Map(shown as [string, object][])).toEqual(shownOf(batches.flat()));
      const { rows } = await poolOf(gateway.storage).query<{ waiting: number }>(
        'SELECT count(*)::int AS waiting FROM icm_waiting JOIN icm_message USING (network, message_id)',
      );
      expect(rows).toEqual([{ waiting: 0 }]);
    }),
    { numRuns: 30 },
  );
});
