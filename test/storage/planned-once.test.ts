import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { recipes } from '../harness/recipes.js';
import { createApp, type TestApp } from '../harness/app.js';
import { connectTo, poolOf } from '../harness/connections.js';
import { createDatabase } from '../harness/database.js';
import { captureLog } from '../harness/log.js';
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
  'requests run as they should on a server with the defaults of PostgreSQL, and the options of its URL come over that',
  async () => {
    const database = await createDatabase();
    const name = new URL(database.url).pathname.slice(1);
    const admin = await connectTo(database.url);
    for (const each of ['jit = on', 'random_page_cost = 4', 'plan_cache_mode = auto', 'jit_above_cost = 0'])
      await admin.query(`ALTER DATABASE ${name} SET ${each}`);
    await admin.end();
    const settings = `SELECT name, setting FROM pg_settings
      WHERE name IN ('jit', 'random_page_cost', 'plan_cache_mode', 'work_mem') ORDER BY name`;
    async function seen(options?: string) {
      const url = new URL(database.url);
      if (options) url.searchParams.set('options', options);
      const { log, lines } = captureLog();
      const other = await createApp({}, { reach: () => url.href, log });
      const { rows } = await poolOf(other.storage).query<{ name: string; setting: string }>(settings);
      await other.close();
      const warnings = lines.flatMap(({ msg }) => (/^requests run with/.test(msg) ? [msg] : []));
      return { ...Object.fromEntries(rows.map(({ name, setting }) => [name, setting])), warnings };
    }
    const wanted = { jit: 'off', random_page_cost: '1.1', plan_cache_mode: 'force_generic_plan' };
    expect(await seen()).toMatchObject({ ...wanted, warnings: [] });
    expect(await seen('-c work_mem=5MB')).toMatchObject({ ...wanted, work_mem: '5120', warnings: [] });
    expect(await seen('-c jit=on')).toMatchObject({
      ...wanted,
      jit: 'on',
      warnings: [
        expect.stringContaining('jit = on, which makes some of them slow. The options in DATABASE_URL'),
      ],
    });
    await database.drop();
  },
);
