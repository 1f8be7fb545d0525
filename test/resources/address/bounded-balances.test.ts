import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageRequest } from '../../../src/paging/page-request.js';
import { balanceList } from '../../../src/resources/address/list.js';
import { readChainBalances } from '../../../src/resources/address/store.js';
import type { Storage } from '../../../src/storage/open.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedBy, touchedByReading } from '../../harness/buffers.js';
import { poolOf } from '../../harness/connections.js';

/** Of one address, on two chains each, with two holdings each. */
const ASSETS = 20_000;
const PAGE = 10;
/** Blocks of 8 kB that a page may read; the tables and their indexes have over 2,000. */
const BUFFERS = 250;
const address = 'avax1holder';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ STATEMENT_TIMEOUT_MS: '300000' });
  const pool = poolOf(gateway.storage);
  await pool.query(
    `INSERT INTO asset (network, asset_id, name, symbol, denomination, type)
     SELECT 'mainnet', md5(n::text), 'Asset ' || n, '', 0, 'secp256k1' FROM generate_series(1, ${ASSETS}) n`,
  );
  await pool.query(
    `INSERT INTO address (network, address) SELECT 'mainnet', 'avax1other' || n FROM generate_series(1, ${ASSETS}) n`,
  );
  await pool.query(`INSERT INTO address (network, address) VALUES ('mainnet', $1)`, [address]);
  // Outputs that are on the C-chain were created on the X-chain: over all chains they count only there.
  await pool.query(
    `INSERT INTO address_balance
     SELECT o.id, chain, a.id, 1, 5, 7, created, 5 * created, 7 * created
     FROM address o, asset a, (VALUES ('x'::primary_chain, 1), ('c', 0)) made(chain, created) WHERE o.address = $1`,
    [address],
  );
  await pool.query(
    `INSERT INTO address_holding
       (address_id, kind, created_on, consumed_on, until, opens, asset_row_id, shared, owner_set, outputs, amount)
     SELECT o.id, 'platform', 'x', 'x', until, 0, a.id, false, 0, 1, 2
     FROM address o, asset a, unnest(ARRAY[1000, 2000]) until WHERE o.address = $1`,
    [address],
  );
  // Of another address two sums of a million outputs each, and of all others one.
  await pool.query(
    `INSERT INTO address_holding
       (address_id, kind, created_on, consumed_on, until, opens, asset_row_id, shared, owner_set, outputs, amount)
     SELECT o.id, 'plain', 'x', 'x', 0, 0, asset, false, 0, 1000000, 2000000
     FROM address o, unnest(ARRAY[1, 2]) asset WHERE o.address LIKE 'avax1other%' AND (asset = 1 OR o.address = 'avax1other7')`,
  );
  await pool.query('ANALYZE asset, address, address_balance, address_holding');
}, 300_000);
afterAll(() => gateway?.close());

const pageAfter = (after: string | null): PageRequest => ({
  direction: 'forward',
  limit: PAGE,
  after,
  before: null,
});
const query = { network: 'mainnet', address, at: '1500' } as const;

describe.each(['generic', 'custom'] as const)('under the %s plan', (plan) => {
  test.each(['x', 'c', null] as const)(
    `a page of the balances of an address with ${ASSETS} assets touches few blocks, the last as the first, on chain %s`,
    async (blockchainId) => {
      const list = { ...query, blockchainId };
      const rows = await balanceList.read(gateway.storage, list, { ...pageAfter(null), limit: ASSETS });
      expect(rows).toHaveLength(ASSETS);
      for (const after of [null, rows[ASSETS - PAGE - 2]?.id ?? '']) {
        const read = (storage: Storage) => balanceList.read(storage, list, pageAfter(after));
        const touched = await touchedByReading(gateway.storage, read, plan);
        expect(touched.rows).toBe(PAGE + 1);
        expect(touched.buffers).toBeLessThan(BUFFERS);
      }
    },
  );
});

test.each(['generic', 'custom'] as const)(
  'balances by kind read the sums of the addresses, not their outputs and not those of others (%s plan)',
  async (plan) => {
    const addresses = ['avax1other7', 'avax1other8'];
    const read = (storage: Storage) =>
      readChainBalances(storage, { network: 'mainnet', blockchainId: 'x', addresses, at: '1500' });
    const touched = await touchedByReading(gateway.storage, read, plan);
    expect(touched.rows).toBe(2);
    expect(touched.buffers).toBeLessThan(100);
  },
);

test('the measurement can tell: reading all that the address has touches far more', async () => {
  const text =
    'SELECT sum(b.unspent), sum(h.amount) FROM address_balance b JOIN address_holding h USING (asset_row_id)';
  const { buffers } = await touchedBy(gateway.storage, { name: '', text, parameters: [] }, {});
  expect(buffers).toBeGreaterThan(BUFFERS * 2);
});
