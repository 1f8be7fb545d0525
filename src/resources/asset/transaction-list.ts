import { identityOf } from '../../avalanche/identity.js';
import { eitherList } from '../../lists/either.js';
import { defineList } from '../../lists/read.js';
import type { ValueOf } from '../../lists/list.js';
import { transactionRows, type TransactionNode } from '../transaction/fields.js';
import { byTime, linkOrder, timeOrder } from '../transaction/list.js';
import { inTimes, requestedTypes, timeFilters } from '../transaction/query.js';
import type { AssetTransactionNarrowing, AssetTransactionQuery } from './arguments.js';

/** SQL of the row id of the asset. */
const asset = (value: ValueOf) =>
  `(SELECT id FROM asset WHERE network = ${value('network')} AND asset_id = ${value('assetId')})`;

/**
 * SQL of whether `transaction t` links to an output of the asset. Without the fence (OFFSET 0) PostgreSQL may
 * read all links of the asset into a hash first.
 */
const links = (table: string, value: ValueOf) =>
  `EXISTS (SELECT 1 FROM ${table} l JOIN utxo u ON u.id = l.utxo_row_id
    WHERE l.transaction_id = t.id AND u.asset_row_id = ${asset(value)} OFFSET 0)`;

/** Of each type the first rows, merged: one that few have is not looked for among all. */
const ofTypes = (type: string) => (value: ValueOf, filters: readonly string[]) => ({
  parts: filters.includes('types')
    ? [{ each: `unnest(${value('types')}) AS part(type)`, where: `${type} = part.type` }]
    : [{}],
  overlap: false,
});

const common = {
  values: { network: 'network', assetId: 'text', types: 'text[]', since: 'numeric', until: 'numeric' },
  bind: (query: AssetTransactionQuery) => ({
    ...query,
    types: requestedTypes({ txType: null, txTypes: query.txTypes }),
  }),
  filters: { txTypes: { as: 'types' }, types: { in: 'ranges' }, ...timeFilters },
  columns: transactionRows.columns,
  toNode: transactionRows.toNode,
  lookup: { from: transactionRows.from, on: 't.id = page.k3' },
  cursor: byTime.cursor,
} as const;

/** Nearly every transaction has AVAX: read by time, few are passed over. */
const ofAvax = defineList<AssetTransactionQuery, TransactionNode, AssetTransactionNarrowing>({
  name: 'avax_transactions',
  ...common,
  from: transactionRows.from,
  where: (value, given, request, direction) =>
    [
      `t.network = ${value('network')} AND t.chain = 'x'
        AND (${links('transaction_output', value)} OR ${links('transaction_input', value)})`,
      ...inTimes('t.block_timestamp', value, given, request, direction),
    ].join(' AND '),
  ranges: ofTypes('t.tx_type'),
  order: ({ sortOrder }) => timeOrder(sortOrder),
});

const ofOther = defineList<AssetTransactionQuery, TransactionNode, AssetTransactionNarrowing>({
  name: 'asset_transactions',
  ...common,
  from: 'asset_transaction l',
  where: (value, given, request, direction) =>
    [`l.asset_row_id = ${asset(value)}`, ...inTimes('l.time', value, given, request, direction)].join(
      ' AND ',
    ),
  ranges: ofTypes('l.tx_type'),
  order: ({ sortOrder }) => linkOrder('l', sortOrder),
});

/** The transactions of the X-chain that consumed or emitted an output of an asset. Cursors are row ids. */
export const assetTransactionList = eitherList<AssetTransactionQuery, TransactionNode>(
  'transactions_of_asset',
  transactionRows,
  ({ network, assetId }) => (assetId === identityOf(network).nativeAssetId ? ofAvax : ofOther),
);
