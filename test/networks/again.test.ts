import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { createPool, poolOf, storageOn } from '../harness/connections.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { dumpFollowed } from '../harness/followed-dump.js';
import { followOnce, networkFilling, startFollowing } from '../harness/followed.js';
import {
  hasRecordedNode,
  recordedFile,
  startRecordedNode,
  type RecordedNode,
} from '../harness/recorded-node.js';
import type { Storage } from '../../src/storage/open.js';

const network = 'network-a';

describe.runIf(hasRecordedNode)('a chain that is followed again', () => {
  let database: TestDatabase;
  let storage: Storage;
  let node: RecordedNode;
  let whole: Record<string, unknown[]>;
  const given = () => ({
    urls: [node.url],
    genesis: recordedFile(network, 'genesis.json'),
    only: ['p'] as const,
  });

  beforeAll(async () => {
    node = await startRecordedNode(network);
    database = await createDatabase({ filling: networkFilling(network) });
    storage = storageOn(createPool(database.url, 8));
    whole = await dumpFollowed(storage);
  });
  afterAll(async () => {
    await poolOf(storage).end();
    await node.close();
    await database.drop();
    adoptIdentities({});
  });

  const query = (text: string) => poolOf(storage).query<Record<string, string>>(text);

  /** What readers see, which must not become less. */
  async function seen(): Promise<Record<string, unknown>> {
    const { rows } = await query(
      `SELECT (SELECT count(*) FROM transaction) AS transactions, (SELECT count(*) FROM utxo WHERE consuming_tx_hash IS NOT NULL) AS spent,
         (SELECT sum(unspent) FROM address_balance) AS unspent, (SELECT count(*) FROM utxo WHERE staked) AS staked,
         (SELECT count(*) FROM transaction WHERE details ? 'rewardTxHash') AS rewarded, (SELECT sum(value) FROM subnet_metric) AS fees,
         (SELECT string_agg(tx_id || potential_reward, ',' ORDER BY tx_id) FROM follow_staker) AS stakers,
         (SELECT string_agg(validation_id || weight || end_fee, ',' ORDER BY validation_id) FROM follow_l1_validator) AS validators`,
    );
    return rows[0] ?? {};
  }

  test('its rows stay for readers and are written over, also after an interruption', async () => {
    const before = await seen();
    await query(
      `UPDATE transaction SET block_number = block_number + 7 WHERE chain = 'p' AND block_number = 100`,
    );
    await query(`UPDATE follow_staker SET potential_reward = potential_reward + 7`);
    const falsified = await seen();
    const running = await startFollowing(storage, { ...given(), again: ['p'] });
    const positions = new Set<bigint | null>();
    while (running.views[0]?.next === null || (running.views[0]?.next ?? 0n) < 500n) {
      positions.add(running.views[0]?.next ?? null);
      expect(await seen()).toEqual(falsified);
    }
    await running.stop();
    const { rows } = await query(
      `SELECT memo->>'again' AS end, next_height FROM follow_pipeline WHERE name = 'p'`,
    );
    expect(Number(rows[0]?.['next_height'])).toBeLessThan(Number(rows[0]?.['end']));
    // Without being asked for again: what was begun is finished.
    expect(await followOnce(storage, given())).toEqual([]);
    expect(await seen()).toEqual(before);
    expect(await dumpFollowed(storage)).toEqual(whole);
  });

  test('one that was begun in the middle is not, because its state there is not known', async () => {
    await query(`UPDATE follow_pipeline SET first_height = 7 WHERE name = 'p'`);
    const [stopped] = await followOnce(storage, { ...given(), again: ['p'] });
    expect(stopped?.why.message).toContain('p was begun at height 7 and cannot be written over');
    await query(`UPDATE follow_pipeline SET first_height = 0 WHERE name = 'p'`);
  });
});
