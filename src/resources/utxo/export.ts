import type { ExportKind, Selection } from '../../export/kind.js';
import { inSelection, rowIdField } from '../../export/sql.js';
import { storedFields } from '../../fields/field.js';
import { jsonText } from '../../storage/json-text.js';
import { utxoFields } from './fields.js';

/** SQL of a UTXO as `import` accepts it, over `utxo u` and `asset a`. */
export function exportedUtxoText(selection: Selection): string {
  return jsonText([...storedFields(utxoFields), ...rowIdField('u.id', selection)]);
}

/**
 * Each output once: in the file of the chain on which it was created or, if that is not selected, of the one
 * on which it can be consumed. A range of time selects those that were created or consumed in it.
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
            AND (${inSelection('u.block_timestamp', selection)}
              OR (u.consuming_tx_hash IS NOT NULL AND ${inSelection('u.consuming_block_timestamp', selection)}))
          ORDER BY u.utxo_id${selection.collate}`,
      })),
    ),
};
