import { identityOf } from '../../avalanche/identity.js';
import { eitherList } from '../../lists/either.js';
import { defineList } from '../../lists/read.js';
import type { ValueOf } from '../../lists/list.js';
import { transactionRows, type TransactionNode } from '../transaction/fields.js';
import { byTime, timeOrder } from '../transaction/list.js';
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

/** SQL of the row ids of the transactions that link to outputs of the asset on the X-chain. */
const linked = (table: string, value: ValueOf) => `
  SELECT l.transaction_id FROM utxo_owner w JOIN ${table} l ON l.utxo_row_id = w.utxo_row_id
  WHERE w.address_id = (SELECT id FROM address WHERE network = ${value('network')} AND address = '')
    AND w.chain = 'x' AND w.asset_row_id = ${asset(value)}`;

/** Of each type the first rows, merged: one that few have is not looked for among all. */
const ofTypes = (value: ValueOf, filters: readonly string[]) => ({
  parts: filters.includes('types')
    ? [{ each: `unnest(${value('types')}) AS part(type)`, where: 't.tx_type = part.type' }]
    : [{}],
  overlap: false,
});

const ofAsset = (name: string, condition: (value: ValueOf) => string) =>
  defineList<AssetTransactionQuery, TransactionNode, AssetTransactionNarrowing>({
    name,
    ...transactionRows,
    values: { network: 'network', assetId: 'text', types: 'text[]', since: 'numeric', until: 'numeric' },
    bind: (query) => ({ ...query, types: requestedTypes({ txType: null, txTypes: query.txTypes }) }),
    where: (value, given, request, direction) =>
      [
        `t.network = ${value('network')} AND t.chain = 'x' AND ${condition(value)}`,
        ...inTimes('t.block_timestamp', value, given, request, direction),
      ].join(' AND '),
    filters: {
      txTypes: { as: 'types' },
      types: { in: 'ranges' },
      ...timeFilters,
    },
    ranges: ofTypes,
    lookup: { from: transactionRows.from, on: 't.id = page.k3' },
    cursor: byTime.cursor,
    order: ({ sortOrder }) => timeOrder(sortOrder),
  });

/** Nearly every transaction has AVAX: read by time, few are passed over. */
const ofAvax = ofAsset(
  'avax_transactions',
  (value) => `(${links('transaction_output', value)} OR ${links('transaction_input', value)})`,
);

/** Of another asset all are found by its outputs, and sorted for each page. */
const ofOther = ofAsset(
  'asset_transactions',
  (value) =>
    `t.id IN (${linked('transaction_output', value)} UNION ALL ${linked('transaction_input', value)} OFFSET 0)`,
);

/** The transactions of the X-chain that consumed or emitted an output of an asset. Cursors are row ids. */
export const assetTransactionList = eitherList<AssetTransactionQuery, TransactionNode>(
  'transactions_of_asset',
  transactionRows,
  ({ network, assetId }) => (assetId === identityOf(network).nativeAssetId ? ofAvax : ofOther),
);
