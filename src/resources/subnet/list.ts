import { sqlTexts, typesWhere } from '../../avalanche/chain/transactions.js';
import type { Network } from '../../avalanche/networks.js';
import { defineFind } from '../../lists/find.js';
import { sortedBy } from '../../lists/order.js';
import { defineList } from '../../lists/read.js';
import { chainRows, type ChainNode } from '../chain/fields.js';
import { transactionRows, type TransactionNode } from '../transaction/fields.js';
import { listsOfReferences, type OfReferenced } from '../reference/list.js';
import type { SubnetQuery } from './arguments.js';
import { isIndexed, subnetRows, type SubnetNode } from './fields.js';

/** The subnets of a network that any row names, by id. Cursors are row ids. */
export const subnetList = defineList<SubnetQuery, SubnetNode, never>({
  name: 'subnets',
  values: { network: 'network' },
  ...subnetRows,
  where: (value) => `s.network = ${value('network')} AND ${isIndexed}`,
  order: sortedBy('s', 'asc', ['subnet_id']),
  cursor: { table: 'subnet' },
});

const references = listsOfReferences('subnet_transaction', 'subnet_row_id');

/** The transactions that name a subnet, newest first. */
export const subnetTransactionList = references.all('subnet_transactions');

/** Those that created its blockchains. */
export const chainCreationList = references.ofTypes('subnet_chain_creations', ['CreateChainTx']);

export const conversionList = references.ofTypes('subnet_conversions', ['ConvertSubnetToL1Tx']);

export interface SubnetKey {
  network: Network;
  subnetId: string;
}

/** The EVM chains of a subnet by rising EVM id. Cursors are row ids. */
export const subnetChainList = defineList<SubnetKey, ChainNode, never>({
  name: 'subnet_chains',
  values: { network: 'network', subnetId: 'text' },
  parent: ['network', 'subnetId'],
  ...chainRows,
  where: (value) =>
    `c.subnet_id = ${value('subnetId')} COLLATE "default" AND c.is_testnet = (${value('network')} = 'fuji')`,
  order: sortedBy('c', 'asc', ['evm_chain_id']),
  cursor: { table: 'chain' },
});

export const findSubnets = defineFind<SubnetKey, SubnetNode>(
  'subnets_by_key',
  { ...subnetRows, from: `(SELECT * FROM subnet s WHERE ${isIndexed}) s` },
  { network: ['network', 's.network'], subnetId: ['text', 's.subnet_id'] },
);

/** The subnets that transactions name as their own, by the transactions' row ids. */
export const findSubnetsOfTransactions = defineFind<{ transactionId: string }, SubnetNode>(
  'subnets_of_transactions',
  {
    ...subnetRows,
    from: `transaction n JOIN subnet s ON s.network = n.network AND s.subnet_id = n.details->>'subnetId' AND ${isIndexed}`,
  },
  { transactionId: ['bigint', 'n.id'] },
);

const newestOwner = `
  SELECT newest.transaction_id FROM unnest(ARRAY[${sqlTexts(typesWhere('ownsSubnet', true))}]) WITH ORDINALITY
    AS kind(tx_type, rank)
  CROSS JOIN LATERAL (
    SELECT l.transaction_id, l.time FROM subnet_transaction l
    WHERE l.subnet_row_id = s.id AND l.tx_type = kind.tx_type
    ORDER BY l.time DESC, l.tie DESC, l.transaction_id DESC LIMIT 1) newest
  ORDER BY newest.time DESC, kind.rank DESC LIMIT 1`;

/** The newest transactions that set the owners of subnets, by the subnets' row ids. */
export const findOwning = defineFind<OfReferenced, TransactionNode>(
  'subnets_owning_transactions',
  {
    ...transactionRows,
    from: `subnet s CROSS JOIN LATERAL (${newestOwner}) owning JOIN transaction t ON t.id = owning.transaction_id`,
  },
  { rowId: ['bigint', 's.id'] },
);
