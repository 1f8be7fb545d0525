import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFilled, type FilledDatabase } from '../harness/filled-again.js';

const names = ['20261122020000_address_days', '20261122020010_vacuum_address_days'];
const drops = 'DROP TABLE address_day';

let database: FilledDatabase;
beforeAll(async () => {
  database = await openFilled(names, drops);
});
afterAll(() => database.close());

const days = async () => {
  const { rows } = await database.client.query<{ row: string }>(
    'SELECT to_jsonb(d)::text AS row FROM address_day d ORDER BY address_id, asset_row_id, day',
  );
  return rows;
};

test('the migration fills the table with what the import would have written', async () => {
  const written = await days();
  expect(written.length).toBeGreaterThan(1000);
  await database.forget();
  expect(await database.migrate()).toEqual(names);
  expect(await days()).toEqual(written);
});
