import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { defineFind } from '../../lists/find.js';
import { eitherList } from '../../lists/either.js';
import type { Filter, Filters, ListDeclaration } from '../../lists/list.js';
import { sortedBy } from '../../lists/order.js';
import type { ListOrder } from '../../paging/keyset.js';
import { defineList } from '../../lists/read.js';
import { utxoRows, type UtxoNode } from '../utxo/fields.js';
import type { TransactionNarrowing, TransactionQuery } from './arguments.js';
import { transactionKey, transactionRows, type TransactionNode } from './fields.js';
import { requestedTypes, boundRange, inRange, rangeFilters, rangeValues } from './query.js';
import { allTypes, isTypeOn, storedTypes } from './tx-types.js';

/** By time: see sortKeyAt. */
export const timeOrder = (direction: ListOrder) =>
  sortedBy('t', direction, ['block_timestamp', 'tie', 'id'], {
    moves: [0, 1],
    resorted:
      "o.network = c.network AND o.chain IN ('p', 'x', 'c') AND o.block_timestamp = c.block_timestamp",
  });

/** What lists of transactions share: newest first. Cursors are row ids. */
export const byTime = { order: timeOrder('desc'), cursor: { table: 'transaction' } };

/** The order of rows that link to transactions, with their times. @param alias of the links */
export const linkOrder = (alias: string, direction: ListOrder) => ({
  ...timeOrder(direction),
  columns: [`${alias}.time`, `${alias}.tie`, `${alias}.transaction_id`],
});

/** The same of lists of such rows. */
export const linksByTime = (alias: string) => ({ ...byTime, order: linkOrder(alias, 'desc') });

type Common = keyof typeof rangeFilters | 'blockchainId' | 'addresses' | 'l1ValidationId';
type Chosen = Pick<ListDeclaration<TransactionQuery>, 'name' | 'values' | 'ranges' | 'lookup'> & {
  filters: Record<Exclude<TransactionNarrowing, Common>, Filter> & Filters;
};

/** The transactions of a chain, by time. Cursors are row ids. */
function ofChain(also: string | undefined, chosen: Chosen) {
  return defineList<TransactionQuery, TransactionNode, TransactionNarrowing>({
    ...transactionRows,
    ...chosen,
    values: { network: 'network', blockchainId: 'primary_chain', ...rangeValues, ...chosen.values },
    bind: (query) => Object.assign({}, query, boundRange(query), boundSubject(query)),
    where: (value, filters, request, direction) => {
      const [network, chain] = [value('network'), value('blockchainId')];
      const ranged = { time: 't.block_timestamp', blockNumber: 't.block_number', network, chain };
      return [
        `t.network = ${network} AND t.chain = ${chain}`,
        ...(also ? [also] : []),
        ...inRange(ranged, value, filters, request, direction),
      ].join(' AND ');
    },
    filters: {
      blockchainId: { as: 'blockchainId' },
      addresses: 'never',
      l1ValidationId: 'never',
      ...chosen.filters,
      ...rangeFilters,
    },
    ...byTime,
    order: ({ sortOrder }) => timeOrder(sortOrder),
  });
}

/** The conditions by content of a chain's list: with only an id, the types are all of the chain. */
function boundSubject(query: TransactionQuery) {
  const { nodeId, subnetId, blockchainId } = query;
  const types = requestedTypes(query) ?? allTypes.flatMap(storedTypes);
  return {
    types: types.filter((each) => blockchainId && isTypeOn(blockchainId, each)),
    node: nodeId,
    subnet: subnetId,
  };
}

const allTransactions = ofChain(undefined, {
  name: 'transactions',
  values: {},
  filters: { txType: 'never', txTypes: 'never', nodeId: 'never', subnetId: 'never' },
});

/**
 * Those of some types, of a node or of a subnet. The first rows of each type, merged, so that each is one
 * index range.
 */
const subjectTransactions = ofChain('t.tx_type = part.type', {
  name: 'txs',
  values: { types: 'text[]', node: 'text', subnet: 'text' },
  filters: {
    txType: { as: 'types' },
    txTypes: { as: 'types' },
    nodeId: { as: 'node' },
    subnetId: { as: 'subnet' },
    node: { sql: (value) => `t.details->>'nodeId' = ${value('node')}` },
    subnet: { sql: (value) => `t.details->>'subnetId' = ${value('subnet')}` },
  },
  ranges: (value) => ({ parts: [{ each: `unnest(${value('types')}) AS part(type)` }], overlap: false }),
  lookup: { from: transactionRows.from, on: 't.id = page.k3' },
});

export const chainTransactionList = eitherList<TransactionQuery, TransactionNode>(
  'chain_transactions',
  transactionRows,
  (query) =>
    requestedTypes(query) !== null || query.nodeId !== null || query.subnetId !== null
      ? subjectTransactions
      : allTransactions,
);

/** Which of a transaction's lists: the outputs that it emitted, or those that it consumed. */
export type TransactionSide = 'output' | 'input';

/** The outputs of a transaction, in its own order. Cursors are row ids of UTXOs. */
function outputsOf(side: TransactionSide) {
  const table = `transaction_${side}`;
  return defineList<{ transactionId: string }, UtxoNode, never>({
    name: table,
    values: { transactionId: 'bigint' },
    parent: ['transactionId'],
    from: `${table} link`,
    where: (value) => `link.transaction_id = ${value('transactionId')}`,
    order: {
      name: '',
      direction: 'asc',
      columns: ['link.position'],
      position: (alias) => [`${alias}.position`],
      moves: [0],
    },
    cursor: {
      table,
      at: (alias, id, value) =>
        `${alias}.utxo_row_id = ${id} AND ${alias}.transaction_id = ${value('transactionId')}`,
    },
    columns: utxoRows.columns,
    toNode: utxoRows.toNode,
    lookup: { from: utxoRows.from, on: 'u.id = page.utxo', keys: { utxo: 'link.utxo_row_id' } },
  });
}

export const emittedList = outputsOf('output');
export const consumedList = outputsOf('input');

export interface TransactionKey {
  network: Network;
  chain: PrimaryChain;
  txHash: string;
}

export const findTransactions = defineFind<TransactionKey, TransactionNode>(
  'transactions_by_key',
  transactionRows,
  transactionKey,
);

interface UtxoRowKey {
  utxoRowId: string;
}

/** The transactions that created outputs: the one that emitted it, else the one that its txHash names. */
export const findCreating = findOfUtxo(
  'creating_transactions',
  `t.id = coalesce(
    (SELECT min(o.transaction_id) FROM transaction_output o WHERE o.utxo_row_id = u.id),
    (SELECT n.id FROM transaction n WHERE n.network = u.network AND n.chain = u.created_on AND n.tx_hash = u.tx_hash))`,
);

/** The transactions that spent outputs. */
export const findConsuming = findOfUtxo(
  'consuming_transactions',
  't.network = u.network AND t.chain = u.consumed_on AND t.tx_hash = u.consuming_tx_hash',
);

interface TransactionRowKey {
  transactionId: string;
}

/** The transactions whose stakes transactions ended. */
export const findStaking = findNamed('staking_transactions', 'stakingTxHash');

/** The transactions that ended the stakes of transactions. */
export const findReward = findNamed('reward_transactions', 'rewardTxHash');

/** Transactions of the same chain that transactions name in their details. */
function findNamed(name: string, member: string) {
  const condition = `t.network = n.network AND t.chain = n.chain AND t.tx_hash = n.details->>'${member}'`;
  const source = { ...transactionRows, from: `transaction n JOIN transaction t ON ${condition}` };
  return defineFind<TransactionRowKey, TransactionNode>(name, source, { transactionId: ['bigint', 'n.id'] });
}

function findOfUtxo(name: string, condition: string) {
  const source = { ...transactionRows, from: `utxo u JOIN transaction t ON ${condition}` };
  return defineFind<UtxoRowKey, TransactionNode>(name, source, { utxoRowId: ['bigint', 'u.id'] });
}
