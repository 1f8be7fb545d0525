import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { recipes } from '../../src/recipes/recipes.js';
import { createApp, type TestApp } from '../harness/app.js';
import { poolOf } from '../harness/connections.js';
import { createDatabase } from '../harness/database.js';
import { readSample } from '../harness/sample.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
});
afterAll(() => gateway?.close());

/** Names of the statements that a connection of the gateway planned for the values of one request. */
async function plannedAnew(): Promise<string[]> {
  const pool = poolOf(gateway.storage);
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  const found = [];
  for (const client of clients) {
    const { rows } = await client.query<{ name: string }>(
      'SELECT name FROM pg_prepared_statements WHERE custom_plans > 0 AND parameter_types <> ARRAY[]::regtype[]',
    );
    found.push(...rows.map(({ name }) => name));
    client.release();
  }
  return found;
}

// A pooler passes no such setting on: the role has it there.
test.skipIf(inject('poolerPort') !== undefined)(
  'pages, look-ups and histories are planned once, not for each request',
  async () => {
    const { addresses } = readSample().utxosOf('p')[0]!;
    const { txHash } = readSample().transactionsOf('p')[0]!;
    const [p, x] = ['p', 'x'].map((chain) => `/v1/networks/fuji/blockchains/${chain}-chain`);
    const paths = [
      `${p}/utxos?addresses=${addresses[0]}`,
      `${p}/utxos?addresses=${addresses[0]}&includeSpent=true&sortBy=amount&minUtxoAmount=5`,
      `${p}/transactions/${txHash}`,
      `${x}/vertices`,
      '/v1/icm/messages',
    ];
    for (let time = 0; time < 3; time += 1) {
      for (const path of paths) expect(await gateway.get(path)).toMatchObject({ status: 200 });
      for (const { document, variables } of recipes) {
        const { errors } = await gateway.graphql(document, variables);
        expect(errors).toBeUndefined();
      }
    }
    expect(await plannedAnew()).toEqual([]);
  },
);

test.skipIf(inject('poolerPort') !== undefined)(
  'options that the URL of a database names come instead',
  async () => {
    const database = await createDatabase();
    const url = new URL(database.url);
    url.searchParams.set('options', '-c plan_cache_mode=auto');
    const other = await createApp({}, { reach: () => url.href });
    const { rows } = await poolOf(other.storage).query('SHOW plan_cache_mode');
    await other.close();
    await database.drop();
    expect(rows).toEqual([{ plan_cache_mode: 'auto' }]);
  },
);
