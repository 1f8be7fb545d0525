import type pg from 'pg';
import type { ExportKind, Selection } from '../../export/kind.js';
import { chainList, evmChainsOf, rowIdField } from '../../export/sql.js';
import { jsonText } from '../../storage/json-text.js';
import { chainFields } from './columns.js';

/** EVM chains. */
export const chainExport: ExportKind = {
  name: 'chains',
  async files(selection, client) {
    const ids = await evmChainsOf(client, 'chain', selection);
    return [
      {
        name: 'evm.chains',
        select: `
          SELECT ${chainText(selection)} FROM chain c WHERE c.evm_chain_id = ANY (${chainList(ids)})
          ORDER BY c.evm_chain_id`,
      },
    ];
  },
};

function chainText(selection: Selection): string {
  // Replies name it by the EVM id alone.
  const blockchainId = {
    name: 'blockchainId',
    form: 'plain',
    sql: 'c.blockchain_id',
    optional: true,
  } as const;
  return jsonText([...chainFields, blockchainId, ...rowIdField('c.id', selection)]);
}

/** The EVM ids of the test chains that are held. */
export async function findTestChains(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT evm_chain_id::text AS id FROM chain WHERE is_testnet',
  );
  return rows.map(({ id }) => id);
}
