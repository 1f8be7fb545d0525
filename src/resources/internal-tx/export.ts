import type { ExportKind } from '../../export/kind.js';
import { evmChainsOf, inSelection, rowIdField } from '../../export/sql.js';
import { storedFields } from '../../fields/field.js';
import { jsonText, type JsonField } from '../../storage/json-text.js';
import { internalTxFields } from './fields.js';

// Frames without a known position are imported in the order of their lines.
const position: JsonField = {
  name: 'position',
  form: 'number',
  sql: 'CASE WHEN i.tie = 0 THEN i.position END',
  optional: true,
};

export const internalTxExport: ExportKind = {
  name: 'internal-transactions',
  async files(selection, client) {
    const text = jsonText([...storedFields(internalTxFields), position, ...rowIdField('i.id', selection)]);
    return (await evmChainsOf(client, 'internal_tx', selection)).map((chain) => ({
      name: `evm.${chain}.internal-transactions`,
      select: `
        SELECT ${text} FROM internal_tx i
        WHERE i.evm_chain_id = ${chain} AND ${inSelection('i.block_timestamp', selection)}
        ORDER BY i.tx_hash, i.position DESC, i.tie DESC`,
    }));
  },
};
