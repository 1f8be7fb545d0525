import { defineList } from '../../lists/read.js';
import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { fieldsText } from '../../fields/field.js';
import { assetExists } from '../asset/store.js';
import { balanceFields } from './fields.js';
import type { AddressBalanceRow } from './row.js';

/** What an address has of each asset: on one chain, or where there is none on all of its network. */
export interface BalanceQuery {
  network: Network;
  address: string;
  blockchainId: PrimaryChain | null;
}

/** In code-unit order. Costs what addresses ever had of assets, whatever the number of their outputs. */
export const balanceList = defineList<BalanceQuery, AddressBalanceRow>({
  name: 'balances',
  values: { network: 'network', address: 'text', blockchainId: 'primary_chain' },
  parent: ['network', 'address', 'blockchainId'],
  from: (value) => {
    const chain = value('blockchainId');
    // A row counts where its chain's list has outputs; over all chains, for the outputs that were created on it.
    const sumOf = (column: string) =>
      `sum(CASE WHEN ${chain} IS NULL THEN b.created_${column} ELSE b.${column} END)`;
    return `(
      SELECT b.asset_row_id, ${sumOf('unspent')} AS unspent, ${sumOf('received')} AS received
      FROM address owner JOIN address_balance b ON b.address_id = owner.id
      WHERE owner.network = ${value('network')} AND owner.address = ${value('address')}
        AND (${chain} IS NULL OR b.chain = ${chain})
      GROUP BY b.asset_row_id HAVING ${sumOf('outputs')} > 0) b
    JOIN asset a ON a.id = b.asset_row_id`;
  },
  where: () => 'true',
  order: {
    name: '',
    direction: 'asc',
    columns: ['a.asset_id COLLATE "C"'],
    position: (alias) => [`${alias}.asset_id`],
  },
  cursor: { table: 'asset', at: (alias, id) => `${alias}.id = ${id}` },
  columns: { id: 'a.id::text', text: fieldsText(balanceFields) },
  exists: assetExists,
});
