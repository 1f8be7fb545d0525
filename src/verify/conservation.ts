import { sqlTexts, typesWhere } from '../avalanche/chain/transactions.js';
import { pipelineTable } from '../state/following.js';
import type { Fact } from './fact.js';

/** Amounts that transactions say in a list of their fields, by asset. */
const said = (field: string) => `SELECT t.id AS transaction_id, item->>'assetId' AS asset_id,
    sum((item->>'amount')::numeric) AS amount
  FROM transaction t, jsonb_array_elements(t.details->'${field}') item GROUP BY 1, 2`;

/** Amounts of the outputs that transactions consume or emit, by asset. */
const moved = (table: 'transaction_input' | 'transaction_output') => `SELECT m.transaction_id, a.asset_id,
    sum(u.amount) AS amount
  FROM ${table} m JOIN utxo u ON u.id = m.utxo_row_id JOIN asset a ON a.id = u.asset_row_id GROUP BY 1, 2`;

/**
 * Whether a transaction was followed: rows of files need not have all of its outputs. Genesis makes all that
 * it emits.
 */
const isFollowed = `EXISTS (SELECT 1 FROM ${pipelineTable.name} f WHERE f.network = t.network
    AND replace(f.name, 'c-atomic', 'c') = t.chain::text AND t.block_number >= f.first_height)
    AND t.block_number > 0`;

/** Types that emit more than they consume: new assets, and rewards. */
const minting = sqlTexts(typesWhere('mints', true));

const key = `concat_ws(' ', t.network, t.chain, t.tx_hash, asset_id) AS row`;

/** What is consumed goes somewhere, and what is emitted comes from somewhere: by transaction and asset. */
export const conservation: readonly Fact[] = [
  {
    table: 'transaction',
    column: 'value',
    by: 'the outputs that it emits',
    // An import of the C-chain pays accounts.
    pairs: `SELECT ${key}, coalesce(said.amount, 0)::text AS stored, coalesce(moved.amount, 0)::text AS proved
      FROM (${said('value')}) said FULL JOIN (${moved('transaction_output')}) moved USING (transaction_id, asset_id)
      JOIN transaction t ON t.id = transaction_id
      WHERE ${isFollowed} AND NOT (t.chain = 'c' AND t.tx_type = 'ImportTx')`,
  },
  {
    table: 'transaction',
    column: 'amountBurned',
    by: 'what it consumes less what it emits',
    // An export of the C-chain is paid by accounts, and what is left of an L1 validator's balance is in no
    // row.
    pairs: `SELECT ${key}, coalesce(burned.amount, 0)::text AS stored,
        (CASE WHEN t.tx_type IN (${minting}) AND left_over.amount < 0 THEN coalesce(burned.amount, 0)
          ELSE left_over.amount END)::text AS proved
      FROM (${moved('transaction_input')}) consumed
      FULL JOIN (${said('value')}) value USING (transaction_id, asset_id)
      FULL JOIN (${said('amountBurned')}) burned USING (transaction_id, asset_id)
      FULL JOIN (${said('amountL1ValidatorBalanceBurned')}) deposited USING (transaction_id, asset_id)
      JOIN transaction t ON t.id = transaction_id
      CROSS JOIN LATERAL (SELECT coalesce(consumed.amount, 0) - coalesce(value.amount, 0)
        - coalesce(deposited.amount, 0) AS amount) left_over
      WHERE ${isFollowed} AND NOT (t.chain = 'c' AND t.tx_type = 'ExportTx')
        AND t.tx_type NOT IN (${sqlTexts(typesWhere('l1Balance', 'returns'))})`,
  },
];
