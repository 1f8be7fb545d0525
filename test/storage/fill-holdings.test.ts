import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFilled, type FilledDatabase } from '../harness/filled-again.js';

const names = ['20261122010000_holdings', '20261122010010_vacuum_holdings'];
const drops = 'DROP TABLE address_holding, holding_output; DROP TYPE holding_kind';

let database: FilledDatabase;
beforeAll(async () => {
  database = await openFilled(names, drops);
});
afterAll(() => database.close());

/** Every output in its holding, whose row ids are others each time. */
const holdings = async () => {
  const { rows } = await database.client.query<{ row: string }>(
    `SELECT (to_jsonb(h) - 'id' || jsonb_build_object('member', to_jsonb(m) - 'holding_id'))::text AS row
     FROM address_holding h FULL JOIN holding_output m ON m.holding_id = h.id ORDER BY 1`,
  );
  return rows;
};

test('the migration fills the tables with what the import would have written', async () => {
  const written = await holdings();
  expect(written.length).toBeGreaterThan(500);
  await database.forget();
  expect(await database.migrate()).toEqual(names);
  expect(await holdings()).toEqual(written);
});

test('it waits for an import that is writing, and readers go on meanwhile', async () => {
  await database.forget();
  const migrated = await database.migrateBeside(['fuji'], async (batch) => {
    await batch.query('UPDATE utxo_owner SET amount = 123456789 WHERE NOT spent');
  });
  expect(migrated).toEqual(names);
  const { rows } = await database.client.query('SELECT DISTINCT amount FROM holding_output');
  expect(rows).toEqual([{ amount: '123456789' }]);
});
