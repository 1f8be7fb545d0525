import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readArguments } from '../../../src/arguments/argument.js';
import { nativeAssetIds } from '../../../src/avalanche/networks.js';
import { balanceHistoryArguments } from '../../../src/resources/balance-history/arguments.js';
import { balanceDayList } from '../../../src/resources/balance-history/list.js';
import { MOST_DAYS } from '../../../src/resources/evm-holding/arguments.js';
import type { Storage } from '../../../src/storage/open.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedByReading } from '../../harness/buffers.js';
import { poolOf } from '../../harness/connections.js';

/** Days on which the address changed, one after the other from 1970-01-01 on: eleven years. */
const DAYS = 4000;
/** Other addresses, of a hundred days each. */
const OTHERS = 3000;
/** Blocks of 8 kB: the days of an address are together in the key's index, and here in the table. */
const BUFFERS = 100;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
  const pool = poolOf(gateway.storage);
  await pool.query(
    `INSERT INTO asset (network, asset_id, name, symbol, denomination, type)
     VALUES ('mainnet', $1, 'Avalanche', 'AVAX', 9, 'secp256k1')`,
    [nativeAssetIds.mainnet],
  );
  await pool.query(
    `INSERT INTO address (network, address) SELECT 'mainnet', 'avax1address' || n FROM generate_series(0, ${OTHERS}) n`,
  );
  await pool.query(
    `INSERT INTO address_day
     SELECT a.id, asset.id, day, day + 2, 1 FROM asset, address a
     CROSS JOIN LATERAL generate_series(1, CASE WHEN a.address = 'avax1address0' THEN ${DAYS} ELSE 100 END) day
     WHERE a.address <> ''`,
  );
  await pool.query('ANALYZE address_day, address, asset');
});
afterAll(() => gateway?.close());

const dateOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);

describe(`the balance history of an address with ${DAYS} days touches a bounded number of blocks`, () => {
  test.each<[string, { firstDate?: string; lastDate?: string }, limit: number, rows: number]>([
    ['of its first year', { firstDate: dateOf(1) }, MOST_DAYS, MOST_DAYS],
    ['of its last year', { lastDate: dateOf(DAYS) }, MOST_DAYS, MOST_DAYS],
    ['of a few days of its last year', { lastDate: dateOf(DAYS) }, 10, 11],
    ['long after its last change', {}, MOST_DAYS, MOST_DAYS],
  ])('%s', async (_title, range, limit, expected) => {
    const query = {
      ...readArguments(balanceHistoryArguments, range),
      network: 'mainnet' as const,
      address: 'avax1address0',
    };
    const page = { direction: 'forward' as const, limit, after: null, before: null };
    const read = (storage: Storage) => balanceDayList.read(storage, query, page);
    for (const plan of ['generic', 'custom'] as const) {
      const { buffers, rows } = await touchedByReading(gateway.storage, read, plan);
      expect(rows).toBe(expected);
      expect(buffers).toBeLessThan(BUFFERS);
    }
  });
});
