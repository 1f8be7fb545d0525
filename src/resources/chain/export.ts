import type { ExportKind } from '../../export/kind.js';
import { chainIds, evmChainsOf, rowIdField } from '../../export/sql.js';
import { storedFields } from '../../fields/field.js';
import { jsonText } from '../../storage/json-text.js';
import { chainLineFields } from './fields.js';

export const chainExport: ExportKind = {
  name: 'chains',
  async files(selection, client) {
    const ids = await evmChainsOf(client, 'chain', selection);
    return [
      {
        name: 'evm.chains',
        select: `
          SELECT ${jsonText([...storedFields(chainLineFields), ...rowIdField('c.id', selection)])}
          FROM chain c WHERE c.evm_chain_id = ANY (${chainIds(ids)}) ORDER BY c.evm_chain_id`,
      },
    ];
  },
  async testChains(client) {
    const { rows } = await client.query<{ id: string }>(
      'SELECT evm_chain_id::text AS id FROM chain WHERE is_testnet',
    );
    return rows.map(({ id }) => id);
  },
};
