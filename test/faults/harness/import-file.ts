import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addressOf, utxoRow } from '../../harness/ledger-rows.js';
import { newFolder } from './postgres.js';

/** A file to import. Its rows are of mainnet, so that no list of the sample changes meanwhile. */
export interface ImportFile {
  path: string;
  folder: string;
  rows: number;
}

/** Outputs of many owners, all different; the same for the same `name`. */
export async function writeImportFile(name: string, rows: number): Promise<ImportFile> {
  const folder = await newFolder();
  const path = join(folder, 'mainnet.p-chain.utxos.ndjson');
  const lines = Array.from({ length: rows }, (_, index) => {
    const amount = String(1 + (number(`${name} ${index}`) % 1000));
    const addresses = [addressOf(`owner ${index % 7}`)];
    const blockTimestamp = 1_700_000_000 + (index % 50);
    return JSON.stringify(utxoRow(`${name} ${index}`, { amount, addresses, blockTimestamp }));
  });
  await writeFile(path, `${lines.join('\n')}\n`);
  return { path, folder, rows };
}

interface Queryable {
  query: <Row extends object>(sql: string) => Promise<Row[]>;
}

/** Outputs of mainnet in the database. */
export async function storedOutputs(database: Queryable): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM utxo WHERE network = 'mainnet'`,
  );
  return row?.count ?? NaN;
}

/** Balances of mainnet that are not the sum of their outputs. */
export async function wrongBalances(database: Queryable): Promise<number> {
  const [row] = await database.query<{ count: number }>(`
    WITH sums AS (
      SELECT address_id, chain, asset_row_id, sum(amount) AS unspent, count(*) AS outputs
        FROM utxo_owner JOIN address ON address.id = address_id
       WHERE network = 'mainnet' AND address <> '' GROUP BY 1, 2, 3
    ), kept AS (
      SELECT b.* FROM address_balance b JOIN address ON address.id = address_id
       WHERE network = 'mainnet' AND address <> ''
    )
    SELECT count(*)::int AS count FROM sums FULL JOIN kept USING (address_id, chain, asset_row_id)
     WHERE (sums.unspent, sums.outputs) IS DISTINCT FROM (kept.unspent, kept.outputs)`);
  return row?.count ?? NaN;
}

function number(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}
