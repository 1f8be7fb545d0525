import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { List } from '../../../src/lists/read.js';
import { LAST_DAY } from '../../../src/resources/evm-holding/day.js';
import {
  collectionOwnerList,
  dailyBalanceList,
  tokenBalanceList,
} from '../../../src/resources/evm-holding/list.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedBy, touchedByReading } from '../../harness/buffers.js';
import { poolOf } from '../../harness/connections.js';
import { addressAt, addressSql } from '../../harness/generated-evm.js';

const ROWS = 60_000;
/** Of which one address has something. */
const TOKENS = 5_000;
/** Blocks that a page may read, of over a thousand. */
const BUFFERS = 100;
const [collection, other] = [addressAt(900), addressAt(901)];

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ STATEMENT_TIMEOUT_MS: '300000' });
  const pool = poolOf(gateway.storage);
  await pool.query(
    `INSERT INTO evm_address (address, checksummed)
     SELECT ${addressSql('i')}, 'address ' || i FROM generate_series(1, ${ROWS}) i`,
  );
  await pool.query(
    `INSERT INTO evm_holding (evm_chain_id, kind, contract)
     VALUES (7, 'nft', ${addressSql('900')}), (7, 'nft', ${addressSql('901')}), (7, 'native', '')`,
  );
  await pool.query(
    `INSERT INTO evm_holding (evm_chain_id, kind, contract)
     SELECT 7, 'erc20', ${addressSql('1000000 + i')} FROM generate_series(1, ${TOKENS}) i`,
  );
  // Nearly all own one NFT of the first collection, half owned more before; of the second everybody has sold
  // all but two.
  await pool.query(
    `INSERT INTO evm_balance (holding_id, address_id, day, until_day, previous, balance)
     SELECT 1, i, 200, ${LAST_DAY}, 2, CASE WHEN i % 10000 = 0 THEN 3 ELSE 1 END FROM generate_series(1, ${ROWS}) i
     UNION ALL SELECT 1, i, 100, 199, 0, 2 FROM generate_series(1, ${ROWS}, 2) i
     UNION ALL SELECT 2, i, 100, ${LAST_DAY}, 0, CASE WHEN i <= 2 THEN 1 ELSE 0 END FROM generate_series(1, ${ROWS}) i
     UNION ALL SELECT 3, 1, i, CASE WHEN i = ${ROWS} THEN ${LAST_DAY} ELSE i END, 0, i FROM generate_series(1, ${ROWS}) i
     UNION ALL SELECT 3, 2, 5, ${LAST_DAY}, 0, 5
     UNION ALL SELECT 3 + i, 3, 100, ${LAST_DAY}, 0, i FROM generate_series(1, ${TOKENS}) i`,
  );
  await pool.query('VACUUM (ANALYZE) evm_address, evm_holding, evm_balance');
});
afterAll(() => gateway?.close());

async function expectBounded<Query>(
  list: List<Query, unknown>,
  query: Query,
  { limit, after = null }: { limit: number; after?: string | null },
  expected: number,
): Promise<void> {
  for (const plan of ['generic', 'custom'] as const) {
    const { rows, buffers } = await touchedByReading(
      gateway.storage,
      (storage) =>
        list.readBatch(storage, [{ query, request: { direction: 'forward', limit, after, before: null } }]),
      plan,
    );
    expect(rows, plan).toBe(expected);
    expect(buffers, plan).toBeLessThan(BUFFERS);
  }
}

describe(`a page touches a bounded number of blocks`, () => {
  test.each<[title: string, address: string, after: string | null, expected: number]>([
    ['of the owners of a collection, nearly all with as many', collection, null, 11],
    ['far from the first of them', collection, '30001', 11],
    ['where nearly all have none any more', other, null, 2],
    ['of a collection that is not stored', addressAt(902), null, 0],
  ])('%s', async (_title, address, after, expected) => {
    await expectBounded(collectionOwnerList, { evmChainId: '7', address }, { limit: 10, after }, expected);
  });

  test.each<[title: string, number: number, first: number, expected: number]>([
    ['of the days of a year in a long history', 1, 30_000, 366],
    ['of those at its end', 1, ROWS - 100, 366],
    ['of those before it', 1, -400, 0],
    ['of those long after the one balance of an address', 2, 40_000, 366],
  ])('%s', async (_title, number, first, expected) => {
    const query = { contract: null, firstDate: first, lastDate: first + 365 };
    const address = { evmChainId: '7', address: addressAt(number) };
    await expectBounded(dailyBalanceList, { ...address, ...query }, { limit: 366 }, expected);
  });

  test.each<
    [title: string, number: number, contracts: string[] | null, after: string | null, expected: number]
  >([
    ['of what an address has of all tokens', 3, null, null, 11],
    ['far from the first of them', 3, null, '3000', 11],
    ['of one of them', 3, [addressAt(1_003_000)], null, 1],
    ['of an address that has none', 4, null, null, 0],
  ])('%s', async (_title, number, contractAddresses, after, expected) => {
    const query = { evmChainId: '7', address: addressAt(number), contractAddresses };
    await expectBounded(tokenBalanceList, query, { limit: 10, after }, expected);
  });

  test('the measurement can tell: reading everything touches far more', async () => {
    const everything = { name: '', text: 'SELECT count(b) FROM evm_balance b', parameters: [] };
    expect((await touchedBy(gateway.storage, everything, {})).buffers).toBeGreaterThan(BUFFERS * 10);
  });
});
