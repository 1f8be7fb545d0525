import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { blockchainIds } from '../../src/avalanche/networks.js';
import { anyOutput, outputOwners } from '../harness/any-output.js';
import { createImportDatabase, runImport, type ImportDatabase } from '../harness/ingest.js';
import { idOf, utxoRow } from '../harness/ledger-rows.js';
import { poolOf } from '../harness/connections.js';

let database: ImportDatabase;
beforeAll(async () => {
  database = await createImportDatabase();
});
afterAll(() => database.close());
beforeEach(() => clear());

const clear = () =>
  poolOf(database.storage).query(
    'TRUNCATE utxo, utxo_owner, address_balance, address_holding, holding_output, transaction, address, asset CASCADE',
  );

/**
 * What can be done with each output, a row for each owner. The empty address owns every output and has no
 * holding.
 */
const held = `
  SELECT o.address_id,
    (CASE
      WHEN u.created_on <> u.consumed_on THEN 'in_flight'
      WHEN u.staked THEN 'staked'
      WHEN lock.stakeable > lock.platform THEN 'stakeable'
      WHEN lock.platform > 0 THEN 'platform'
      ELSE 'plain' END)::holding_kind AS kind,
    u.created_on, u.consumed_on,
    CASE WHEN u.created_on = u.consumed_on AND u.staked
      AND greatest(lock.platform, lock.stakeable) <= coalesce(u.utxo_end_timestamp, 0)
      THEN 0 ELSE greatest(lock.platform, lock.stakeable) END AS until,
    CASE
      WHEN u.created_on <> u.consumed_on THEN 0
      WHEN u.staked THEN CASE WHEN u.utxo_start_timestamp > o.time THEN u.utxo_start_timestamp ELSE 0 END
      WHEN lock.stakeable > lock.platform THEN lock.platform ELSE 0 END AS opens,
    u.asset_row_id,
    coalesce(u.threshold > 1, (SELECT count(DISTINCT owner) > 1 FROM unnest(u.addresses) AS owner)) AS shared,
    coalesce((
      SELECT CASE WHEN count(DISTINCT a) > 1 THEN ('x' || encode(substr(sha256(convert_to(
        string_agg(DISTINCT a COLLATE "C", ',' ORDER BY a COLLATE "C"), 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint END
      FROM unnest(u.addresses) AS a), 0) AS owner_set,
    o.time, o.tie, o.utxo_row_id, o.amount
  FROM utxo_owner o
  JOIN utxo u ON u.id = o.utxo_row_id AND o.chain = u.created_on
  CROSS JOIN LATERAL (
    SELECT coalesce(u.platform_locktime, 0) AS platform, coalesce(u.stakeable_locktime, 0) AS stakeable) lock
  WHERE NOT o.spent AND o.address_id NOT IN (SELECT id FROM address WHERE address = '')`;

const columns =
  'address_id, kind::text, created_on::text, consumed_on::text, until, opens, asset_row_id, shared, owner_set';

async function expectHoldings(): Promise<unknown[][]> {
  const read = async (sql: string) => {
    const text = `SELECT * FROM (${sql}) row ORDER BY row`;
    return (await poolOf(database.storage).query<unknown[]>({ text, rowMode: 'array' })).rows;
  };
  const kept = await read(`SELECT ${columns}, outputs, amount FROM address_holding`);
  expect(kept).toEqual(
    await read(`SELECT ${columns}, count(*), sum(amount) FROM (${held}) held GROUP BY ${columns}`),
  );
  const member = `${columns}, time, tie, utxo_row_id, m.amount`;
  expect(
    await read(`SELECT ${member} FROM holding_output m JOIN address_holding h ON h.id = m.holding_id`),
  ).toEqual(await read(`SELECT ${member} FROM (${held}) m`));
  return kept;
}

const { p, x } = blockchainIds.mainnet;
const lock = fc.constantFrom(0, 1_700_000_000, 1_700_000_001, 2 ** 33);
const row = anyOutput({
  addresses: fc.subarray(outputOwners, { minLength: 1 }),
  threshold: fc.constantFrom(1, 2),
  chains: fc.constantFrom([p, p], [p, p], [p, x], [x, p]),
  blockTimestamp: fc.constantFrom(1_600_000_000, 1_600_000_001),
  platformLocktime: lock,
  stakeableLocktime: lock,
  consumingTxHash: fc.constantFrom(idOf('taker')),
  staked: fc.boolean(),
  utxoStartTimestamp: fc.constantFrom(1_600_000_000, 1_600_000_900),
  utxoEndTimestamp: lock,
});

let files = 0;
async function importOf(rows: readonly object[]): Promise<void> {
  const path = database.write(`mainnet.p-chain.utxos.${(files += 1)}.ndjson`, rows);
  await runImport(database.storage, [path], { limits: { rows: 3, bytes: 1e9 } });
}

test('holdings are what the outputs come to, whatever rows come, come again or correct earlier ones', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(row, { maxLength: 8 }), { maxLength: 4 }), async (imports) => {
      await clear();
      for (const rows of imports) {
        await importOf(rows);
        await expectHoldings();
      }
    }),
    { numRuns: 40 },
  );
});

test('an output that is spent leaves no holding behind, and none comes of what was spent when it came', async () => {
  await importOf([utxoRow('a', { platformLocktime: 5 }), utxoRow('b', { consumingTxHash: idOf('taker') })]);
  expect(await expectHoldings()).toHaveLength(1);
  await importOf([utxoRow('a', { consumingTxHash: idOf('taker') })]);
  expect(await expectHoldings()).toEqual([]);
});

test('two outputs that swap holdings are each in its own afterwards', async () => {
  const locked = (name: string, platformLocktime: number) => utxoRow(name, { platformLocktime });
  await importOf([locked('a', 5), locked('b', 6)]);
  await importOf([locked('a', 6), locked('b', 5)]);
  expect(await expectHoldings()).toHaveLength(2);
});

test('rows that are stored already write nothing', async () => {
  const rows = [utxoRow('a', { platformLocktime: 5 }), utxoRow('b', { staked: true })];
  const versions = async () =>
    (
      await poolOf(database.storage).query(
        'SELECT xmin::text FROM address_holding UNION ALL SELECT xmin::text FROM holding_output',
      )
    ).rows;
  await importOf(rows);
  const before = await versions();
  await importOf(rows);
  expect(await versions()).toEqual(before);
});
