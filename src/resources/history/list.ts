import { primaryChains } from '../../avalanche/networks.js';
import { eitherList } from '../../lists/either.js';
import { defineList } from '../../lists/read.js';
import { ownersOf } from '../address/query.js';
import { validationTransactionList } from '../l1-validator/transaction-list.js';
import { transactionRows, type TransactionNode } from '../transaction/fields.js';
import type { TransactionNarrowing, TransactionQuery } from '../transaction/arguments.js';
import { requestedTypes, boundRange, inRange, rangeFilters, rangeValues } from '../transaction/query.js';
import { chainTransactionList, linkOrder, linksByTime } from '../transaction/list.js';
import { isTypeOn } from '../transaction/tx-types.js';

/**
 * The transactions that consumed or emitted outputs of addresses, by time: the page's keys from the
 * indexes of their histories, the first rows for each address and chain, merged; then the rows. Each
 * transaction once. Cursors are row ids.
 */
export const historyList = defineList<TransactionQuery, TransactionNode, TransactionNarrowing>({
  name: 'histories',
  values: {
    network: 'network',
    addresses: 'text[]',
    chains: 'primary_chain[]',
    types: 'text[]',
    ...rangeValues,
  },
  parent: ['addresses'],
  bind: (query) => Object.assign({}, query, boundRange(query), boundRanges(query)),
  ranges: (value, filters) => {
    const [arrays, part] = filters.includes('types')
      ? [`${value('chains')}, ${value('types')}`, 'chain, type']
      : [value('chains'), 'chain'];
    return {
      parts: [
        {
          each: `
          ${ownersOf(value)}
          CROSS JOIN unnest(${arrays}) AS part(${part})`,
        },
      ],
      overlap: true,
    };
  },
  from: 'address_transaction h',
  where: (value, filters, request, direction) => {
    const ranged = {
      time: 'h.time',
      blockNumber: '(SELECT t.block_number FROM transaction t WHERE t.id = h.transaction_id)',
      network: value('network'),
      // Block bounds are only allowed for one chain.
      chain: `(${value('chains')})[1]`,
    };
    return [
      'h.address_id = owner.id AND h.chain = part.chain',
      ...inRange(ranged, value, filters, request, direction),
    ].join(' AND ');
  },
  filters: {
    blockchainId: { as: 'chains' },
    addresses: { as: 'addresses' },
    txType: { as: 'types' },
    txTypes: { as: 'types' },
    types: { sql: () => 'h.tx_type = part.type' },
    nodeId: 'never',
    subnetId: 'never',
    l1ValidationId: 'never',
    ...rangeFilters,
  },
  ...linksByTime('h'),
  order: ({ sortOrder }) => linkOrder('h', sortOrder),
  columns: transactionRows.columns,
  toNode: transactionRows.toNode,
  lookup: { from: transactionRows.from, on: 't.id = page.k3' },
});

/** The chains whose ranges are read; with types, each chain once for each of its types. */
function boundRanges(query: TransactionQuery) {
  const { blockchainId } = query;
  const chains = blockchainId === null ? primaryChains : [blockchainId];
  const types = requestedTypes(query);
  if (types === null) return { chains, types: null };
  const parts = chains.flatMap((chain) =>
    types.filter((type) => isTypeOn(chain, type)).map((type) => ({ chain, type })),
  );
  return { chains: parts.map(({ chain }) => chain), types: parts.map(({ type }) => type) };
}

/** The transactions of a chain, of addresses, or of an L1 validator. */
export const transactionList = eitherList<TransactionQuery, TransactionNode>(
  'transactions',
  transactionRows,
  ({ addresses, l1ValidationId }) => {
    if (addresses !== null) return historyList;
    return l1ValidationId === null ? chainTransactionList : validationTransactionList;
  },
);
