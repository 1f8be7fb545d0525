import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { createApp, type TestApp } from '../harness/app.js';
import { followOnce, networkFilling } from '../harness/followed.js';
import { dumpFollowed } from '../harness/followed-dump.js';
import {
  hasRecordedNode,
  recordedFile,
  startRecordedNode,
  type RecordedNode,
} from '../harness/recorded-node.js';

/** One row of each table that is wrong, and what is said of it. */
const falsified = [
  ['follow_supply', 'supply = supply + 1', 'supply of the primary network'],
  ['follow_staking', 'excess = excess + 1', 'excess of the fee of L1 validators'],
  ['follow_staker', 'potential_reward = potential_reward - 1', 'potential reward of validator'],
  ['follow_l1_validator', 'end_fee = end_fee + 1 WHERE end_fee > 0', 'balance of validator'],
] as const;

describe.runIf(hasRecordedNode)('a database that has all of a node’s blocks', () => {
  let gateway: TestApp;
  let node: RecordedNode;
  const genesis = recordedFile('network-a', 'genesis.json');

  beforeAll(async () => {
    gateway = await createApp({}, { filling: networkFilling('network-a') });
    node = await startRecordedNode('network-a');
  });

  afterAll(async () => {
    await gateway.close();
    await node.close();
    adoptIdentities({});
  });

  const stateOf = () => gateway.storage.prisma.followStaking.findFirstOrThrow();
  const start = () => followOnce(gateway.storage, { urls: [node.url], genesis, only: ['p'] });

  test('is compared when it is opened: what differs is shown with its block, and the ledger stays as it is', async () => {
    const { prisma } = gateway.storage;
    const run = (sql: string) => prisma.$executeRawUnsafe(sql);
    const before = await dumpFollowed(gateway.storage);
    const last = falsified.at(-1)?.[0];
    for (const [table, change, said] of falsified) {
      await run(`CREATE TABLE kept_rows AS SELECT * FROM ${table}`);
      await run(`UPDATE ${table} SET ${change}`);
      expect(await start()).toEqual([]);
      const found = await stateOf();
      expect(found.difference).toContain(said);
      expect(found.differentSince).toBe(2119n);
      expect((await gateway.get('/ready')).status).toBe(200);
      await run(`DELETE FROM ${table}`);
      await run(`INSERT INTO ${table} SELECT * FROM kept_rows`);
      await run('DROP TABLE kept_rows');
      // Else it is kept: the first difference counts.
      if (table !== last) await run('UPDATE follow_staking SET difference = NULL');
    }
    expect(await start()).toEqual([]);
    expect((await stateOf()).difference).toBeNull();
    expect(await dumpFollowed(gateway.storage)).toEqual(before);
  });
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
