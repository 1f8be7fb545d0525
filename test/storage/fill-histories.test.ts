import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFilled, type FilledDatabase } from '../harness/filled-again.js';

const names = ['20261122000500_address_transactions', '20261122000510_vacuum_address_transactions'];
const drops = 'DROP TABLE address_transaction';

let database: FilledDatabase;
beforeAll(async () => {
  database = await openFilled(names, drops);
});
afterAll(() => database.close());

const histories = async () => {
  const { rows } = await database.client.query<{ row: string }>(
    'SELECT to_jsonb(h)::text AS row FROM address_transaction h ORDER BY transaction_id, address_id',
  );
  return rows;
};

test('the migration fills the table with what the import would have written', async () => {
  const written = await histories();
  expect(written.length).toBeGreaterThan(1000);
  await database.forget();
  expect(await database.migrate()).toEqual(names);
  expect(await histories()).toEqual(written);
});

test('it waits for an import that is writing, and readers go on meanwhile', async () => {
  await database.forget();
  const migrated = await database.migrateBeside(['fuji'], async (batch) => {
    await batch.query(
      `INSERT INTO transaction (network, chain, tx_hash, tx_type, block_timestamp, details, tie)
         VALUES ('fuji', 'p', 'late', 'BaseTx', 1, '{}', 1)`,
    );
    await batch.query(
      `INSERT INTO transaction_output SELECT t.id, 0, (SELECT min(utxo_row_id) FROM utxo_owner)
         FROM transaction t WHERE t.tx_hash = 'late'`,
    );
  });
  expect(migrated).toEqual(names);
  const late = `SELECT 1 FROM address_transaction h JOIN transaction t ON t.id = h.transaction_id WHERE t.tx_hash = 'late'`;
  expect((await database.client.query(late)).rowCount).toBeGreaterThan(0);
});
