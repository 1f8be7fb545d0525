import type { Storage } from '../../src/storage/open.js';
import type { Connection } from '../../src/storage/session.js';
import { poolOf } from '../../test/harness/connections.js';
import { generateLedger } from '../../test/harness/generated-ledger.js';
import * as evm from './evm-data.js';
import * as ledger from './ledger-data.js';

/** The generators, in this order, each with a table that has rows once it has run. */
const steps: readonly [
  table: string,
  make: (client: Connection, rows: number, hot: string) => Promise<void>,
][] = [
  ['holding_output', ledger.makeHoldings],
  ['transaction_input', ledger.makeTransactions],
  ['block', ledger.makeBlocks],
  ['vertex', ledger.makeNamed],
  ['icm_message', evm.makeMessages],
  ['internal_tx', evm.makeFrames],
  ['chain', evm.makeHeld],
];

/**
 * Fills an empty database with so many rows for each list, and half as many or as many others; existing rows
 * stay.
 *
 * @returns an address that owns outputs, and has transactions
 */
export async function prepare(storage: Storage, rows: number): Promise<string> {
  const hot = await makeOutputs(storage, rows);
  await storage.session(async (client) => {
    for (const [table, make] of steps) {
      if (await holds(client, table)) continue;
      const start = performance.now();
      // All or nothing: if the table has rows they count as complete.
      await client.query('BEGIN');
      await client.query(`SET LOCAL maintenance_work_mem = '256MB'`);
      await make(client, rows, hot);
      await client.query('COMMIT');
      console.log(`made what ends with ${table} in ${((performance.now() - start) / 1000).toFixed(0)} s`);
    }
    // Every time, because an earlier run may have been aborted before it.
    await client.query('VACUUM (ANALYZE)');
  });
  return hot;
}

/**
 * Outputs of the X-chain, the only chain that lists them by asset: one address has twice as many
 * unspent ones as a list has rows.
 */
async function makeOutputs(storage: Storage, rows: number): Promise<string> {
  const { rows: held } = await poolOf(storage).query<{ address: string }>(
    `SELECT a.address FROM address a JOIN address_balance b ON b.address_id = a.id
     WHERE b.asset_row_id = 1 ORDER BY b.outputs DESC LIMIT 1`,
  );
  if (held[0]) return held[0].address;
  console.log(`making ${rows.toLocaleString('en')} rows for each list (once, takes some minutes)…`);
  const owned = 4 * rows + 1000;
  const none = 1e9;
  const [hot = ''] = await generateLedger(poolOf(storage), {
    outputs: owned + 1000,
    hot: [owned],
    rareEvery: none,
  });
  return hot;
}

async function holds(client: Connection, table: string): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(`SELECT EXISTS (SELECT FROM ${table}) AS held`);
  return rows[0]?.held === true;
}
