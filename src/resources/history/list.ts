import { primaryChains } from '../../avalanche/networks.js';
import { eitherList } from '../../lists/either.js';
import { defineList } from '../../lists/read.js';
import { transactionRows } from '../transaction/fields.js';
import type { TransactionQuery } from '../transaction/arguments.js';
import { byTime, chainTransactionList } from '../transaction/list.js';
import type { TransactionRow } from '../transaction/row.js';

/**
 * The transactions that consumed or emitted outputs of addresses, newest first: the page's keys from the indexes of their
 * histories, a top-N for each address and chain, merged; then the rows. Each transaction once. Cursors are row ids.
 */
export const historyList = defineList<TransactionQuery, TransactionRow>({
  name: 'histories',
  values: {
    network: 'network',
    addresses: 'text[]',
    chains: 'primary_chain[]',
    txType: 'text',
    since: 'numeric',
    until: 'numeric',
  },
  parent: ['addresses'],
  bind: ({ blockchainId, ...query }) => ({
    ...query,
    chains: blockchainId === null ? primaryChains : [blockchainId],
  }),
  ranges: (value) => ({
    parts: [
      {
        each: `
          (SELECT id FROM address WHERE network = ${value('network')} AND address = ANY(${value('addresses')})) owner
          CROSS JOIN unnest(${value('chains')}) AS part(chain)`,
      },
    ],
    overlap: true,
  }),
  from: 'address_transaction h',
  where: () => 'h.address_id = owner.id AND h.chain = part.chain',
  filters: {
    txType: { sql: (value) => `h.tx_type = ${value('txType')}` },
    since: { sql: (value) => `h.time >= ${value('since')}` },
    until: { sql: (value) => `h.time < ${value('until')}` },
  },
  order: {
    name: '',
    direction: 'desc',
    columns: ['h.time', 'h.tie', 'h.transaction_id'],
    position: byTime.position,
  },
  cursor: byTime.cursor,
  columns: transactionRows.columns,
  lookup: { from: transactionRows.from, on: 't.id = page.k3' },
});

/** The transactions of a chain, or of addresses. */
export const transactionList = eitherList<TransactionQuery, TransactionRow>(
  'transactions',
  ({ addresses }) => (addresses.length > 0 ? historyList : chainTransactionList),
);
