import { expect } from 'vitest';
import type { Storage } from '../../src/storage/open.js';
import { poolOf } from './connections.js';

/**
 * The one row of an output of mainnet, with whether it is spent and how many different answers its owners'
 * rows give to that.
 */
export async function storedOutput(storage: Storage, utxoId: string): Promise<Record<string, unknown>> {
  const { rows } = await poolOf(storage).query<Record<string, unknown>>(
    `SELECT u.*, (SELECT bool_or(o.spent) FROM utxo_owner o WHERE o.utxo_row_id = u.id) AS spent,
       (SELECT count(DISTINCT o.spent)::int FROM utxo_owner o WHERE o.utxo_row_id = u.id) AS states
     FROM utxo u WHERE network = 'mainnet' AND utxo_id = $1`,
    [utxoId],
  );
  expect(rows).toHaveLength(1);
  return rows[0] as Record<string, unknown>;
}

/** The ids of the outputs that a transaction emitted, in their order. */
export async function storedOutputsOf(storage: Storage, txHash: string): Promise<string[]> {
  const { rows } = await poolOf(storage).query<{ utxo_id: string }>(
    `SELECT u.utxo_id FROM transaction t JOIN transaction_output l ON l.transaction_id = t.id
     JOIN utxo u ON u.id = l.utxo_row_id WHERE t.tx_hash = $1 ORDER BY l.position`,
    [txHash],
  );
  return rows.map(({ utxo_id }) => utxo_id);
}

/** The description of an asset of mainnet: one row if it is stored. */
export async function storedAssets(storage: Storage, assetId: string): Promise<unknown[]> {
  const { rows } = await poolOf(storage).query<Record<string, unknown>>(
    'SELECT name, symbol, denomination, type FROM asset WHERE network = $1 AND asset_id = $2',
    ['mainnet', assetId],
  );
  return rows;
}
