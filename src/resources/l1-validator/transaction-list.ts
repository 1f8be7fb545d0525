import { defineList } from '../../lists/read.js';
import type { TransactionNarrowing, TransactionQuery } from '../transaction/arguments.js';
import { transactionRows, type TransactionNode } from '../transaction/fields.js';
import { linkOrder, linksByTime } from '../transaction/list.js';
import { boundRange, inRange, rangeFilters, rangeValues, requestedTypes } from '../transaction/query.js';

/** SQL of something of the transaction of a link `l`. */
const ofTransaction = (sql: string) => `(SELECT ${sql} FROM transaction t WHERE t.id = l.transaction_id)`;

/** The transactions that changed an L1 validator, by time: they are few. Cursors are row ids. */
export const validationTransactionList = defineList<TransactionQuery, TransactionNode, TransactionNarrowing>({
  name: 'validation_txs',
  values: {
    network: 'network',
    blockchainId: 'primary_chain',
    validation: 'text',
    types: 'text[]',
    ...rangeValues,
  },
  bind: (query) => {
    const { l1ValidationId } = query;
    // A name of a parameter has no digit.
    const own = { types: requestedTypes(query), validation: l1ValidationId };
    return Object.assign({}, query, boundRange(query), own);
  },
  from: 'l1_validator_transaction l',
  where: (value, filters, request, direction) => {
    const [network, chain] = [value('network'), value('blockchainId')];
    const ranged = { time: 'l.time', blockNumber: ofTransaction('t.block_number'), network, chain };
    return [
      `l.l1_validator_row_id = (
        SELECT id FROM l1_validator WHERE network = ${network} AND validation_id = ${value('validation')})`,
      `${chain} = 'p'`,
      ...inRange(ranged, value, filters, request, direction),
    ].join(' AND ');
  },
  filters: {
    blockchainId: { as: 'blockchainId' },
    l1ValidationId: { as: 'validation' },
    addresses: 'never',
    nodeId: 'never',
    subnetId: 'never',
    txType: { as: 'types' },
    txTypes: { as: 'types' },
    types: { sql: (value) => `${ofTransaction('t.tx_type')} = ANY(${value('types')})` },
    ...rangeFilters,
  },
  ...linksByTime('l'),
  order: ({ sortOrder }) => linkOrder('l', sortOrder),
  columns: transactionRows.columns,
  toNode: transactionRows.toNode,
  lookup: { from: transactionRows.from, on: 't.id = page.k3' },
});
