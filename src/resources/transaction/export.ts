import type { ExportKind, Selection } from '../../export/kind.js';
import { inSelection, rowIdField } from '../../export/sql.js';
import { positionSql } from '../../avalanche/sort-key.js';
import { storedFields } from '../../fields/field.js';
import { jsonText } from '../../storage/json-text.js';
import { exportedUtxoText } from '../utxo/export.js';
import { transactionFields } from './fields.js';

export const transactionExport: ExportKind = {
  name: 'transactions',
  files: (selection) =>
    selection.networks.flatMap((network) =>
      selection.chains.map((chain) => ({
        name: `${network}.${chain}-chain.transactions`,
        select: `
          SELECT ${transactionText(selection)} FROM transaction t
          WHERE t.network = '${network}' AND t.chain = '${chain}' AND ${inSelection('t.block_timestamp', selection)}
          ORDER BY t.tx_hash${selection.collate}`,
      })),
    ),
};

function transactionText(selection: Selection): string {
  const utxos = (side: 'output' | 'input') => `coalesce((
    SELECT '[' || string_agg(${exportedUtxoText(selection)}, ',' ORDER BY link.position) || ']'
    FROM transaction_${side} link JOIN utxo u ON u.id = link.utxo_row_id JOIN asset a ON a.id = u.asset_row_id
    WHERE link.transaction_id = t.id), '[]')`;
  return jsonText(
    [
      ...storedFields(transactionFields),
      { name: 'position', form: 'number', sql: positionSql('t.tie'), optional: true },
      // See the reader of rows, import-row.ts.
      { name: 'exact', form: 'number', sql: 'true' },
      ...rowIdField('t.id', selection),
      { name: 'emittedUtxos', form: 'json', sql: utxos('output') },
      { name: 'consumedUtxos', form: 'json', sql: utxos('input') },
    ],
    't.details::text',
  );
}
