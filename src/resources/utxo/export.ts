import type { ExportKind, Selection } from '../../export/kind.js';
import { inRange, rowIdField } from '../../export/sql.js';
import { jsonText, type JsonField } from '../../storage/json-text.js';
import { utxoFields } from './columns.js';

/** What replies print for the unknown, or hide, as it is stored. */
const stored: readonly JsonField[] = [
  { name: 'blockNumber', form: 'plain', sql: 'u.block_number', optional: true },
  { name: 'blockTimestamp', form: 'number', sql: 'u.block_timestamp', optional: true },
  { name: 'consumingTxHash', form: 'plain', sql: 'u.consuming_tx_hash', optional: true },
  { name: 'consumingBlockNumber', form: 'plain', sql: 'u.consuming_block_number', optional: true },
  { name: 'consumingBlockTimestamp', form: 'number', sql: 'u.consuming_block_timestamp', optional: true },
];

/** SQL of a UTXO as `import` takes it in, over `utxo u` and `asset a`. */
export function exportedUtxoText(selection: Selection): string {
  const fields = utxoFields.map((field) => stored.find(({ name }) => name === field.name) ?? field);
  return jsonText([...fields, ...rowIdField('u.id', selection)]);
}

/**
 * Each output once: in the file of the chain on which it was created, or, where that is not selected, of the one on
 * which it can be consumed. In a range are those that were created or consumed in it.
 */
export const utxoExport: ExportKind = {
  name: 'utxos',
  files: (selection) =>
    selection.networks.flatMap((network) =>
      selection.chains.map((chain) => ({
        name: `${network}.${chain}-chain.utxos`,
        select: `
          SELECT ${exportedUtxoText(selection)} FROM utxo u JOIN asset a ON a.id = u.asset_row_id
          WHERE u.network = '${network}' AND (u.created_on = '${chain}' OR (u.consumed_on = '${chain}'
            AND u.created_on <> ALL ('{${selection.chains.join(',')}}'::primary_chain[])))
            AND (${inRange('u.block_timestamp', selection)}
              OR (u.consuming_tx_hash IS NOT NULL AND ${inRange('u.consuming_block_timestamp', selection)}))
          ORDER BY u.utxo_id${selection.collate}`,
      })),
    ),
};
