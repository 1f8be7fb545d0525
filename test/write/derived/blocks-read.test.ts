import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { poolOf } from '../../harness/connections.js';
import { createImportDatabase, runImport, type ImportDatabase } from '../../harness/ingest.js';
import { launch } from '../../harness/launched.js';
import { addressOf, utxoRow } from '../../harness/ledger-rows.js';
import { blocksReadBy } from '../../harness/read-blocks.js';

const SMALL = 1000;
const TIMES = 4;
/** What blocks may grow by when rows grow by TIMES: an index of more rows has more levels. */
const MOST = 1.5 * TIMES;
const tables = ['utxo_owner', 'address_balance', 'address_holding', 'holding_output', 'address_day'];

/** Unspent outputs of as many days: every second one of one wallet, the others of an owner each. */
const outputs = (count: number) =>
  Array.from({ length: count }, (_, number) =>
    utxoRow(`output ${number}`, {
      addresses: [addressOf(number % 2 === 0 ? 'wallet' : `owner ${number}`)],
      blockTimestamp: 1_600_000_000 + 86_400 * number,
    }),
  );

const query = (database: ImportDatabase, sql: string) => poolOf(database.storage).query(sql);

let databases: ImportDatabase[] = [];
beforeAll(async () => {
  for (const count of [SMALL, SMALL * TIMES]) {
    const database = await createImportDatabase();
    databases.push(database);
    await runImport(database.storage, [database.write('mainnet.p-chain.utxos.ndjson', outputs(count))]);
    for (const table of tables) await query(database, `CREATE TABLE kept_${table} AS TABLE ${table}`);
  }
});
afterAll(async () => {
  for (const database of databases) await database.close();
  databases = [];
});

async function rebuild(database: ImportDatabase): Promise<void> {
  const command = launch(['rebuild'], { DATABASE_URL: database.url });
  expect(await command.ended, command.output()).toMatchObject({ code: 0 });
}

/** The tables emptied, and vacuumed and analysed so. */
const emptied = tables.map((name) => `TRUNCATE ${name}`);
const statistics = `VACUUM (ANALYZE, TRUNCATE off) ${tables.join(', ')}`;

/** Rows of which the planner knows that there are none. */
const unknown = tables.map((name) => `INSERT INTO ${name} SELECT * FROM kept_${name}`);

const wrongKeys: Record<string, string> = {
  utxo_owner: 'utxo_row_id = utxo_row_id + 10000000',
  address_balance: 'address_id = address_id + 10000000',
  address_holding: 'until = until + 10000000',
  holding_output: 'tie = tie + 1',
  address_day: 'day = day + 10000000',
};

const states: [title: string, statements: string[]][] = [
  ['were vacuumed while they were empty', [...emptied, statistics]],
  ['have rows that came after they were vacuumed', [...emptied, statistics, ...unknown]],
  [
    'have other rows that came after they were vacuumed',
    [
      ...tables.map((name) => `DELETE FROM ${name}`),
      statistics,
      ...unknown,
      ...tables.map((name) => `UPDATE ${name} SET ${wrongKeys[name]}`),
    ],
  ],
];

describe.each(states)('a rebuild of tables that %s', (_title, statements) => {
  test('reads as many blocks a row for four times the rows', async () => {
    const blocks: number[] = [];
    for (const database of databases) {
      for (const statement of statements) await query(database, statement);
      blocks.push(await blocksReadBy(database.url, () => rebuild(database)));
    }
    const [small = NaN, large = NaN] = blocks;
    expect(large / small, blocks.join(' and ')).toBeLessThan(MOST);
  });
});
