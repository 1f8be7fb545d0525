import { typesWhere } from '../../avalanche/chain/transactions.js';
import { eitherList } from '../../lists/either.js';
import type { ValueOf } from '../../lists/list.js';
import { defineList } from '../../lists/read.js';
import { ownersOf } from '../address/query.js';
import { followsNetwork, isOpen, isRecent } from '../reference/present.js';
import { transactionRows, type TransactionNode } from '../transaction/fields.js';
import { byTime, linkOrder, timeOrder } from '../transaction/list.js';
import { inTimes, requestedTypes, timeFilters } from '../transaction/query.js';
import type { StakingTransactionNarrowing, StakingTransactionQuery } from './arguments.js';
import { isPresent, stakeFrom } from './columns.js';

const all = [...typesWhere('stake', 'validates'), ...typesWhere('stake', 'delegates')];

/** The requested types among those that begin stakes. */
function bind(query: StakingTransactionQuery) {
  const requested = requestedTypes({ txType: null, txTypes: query.txTypes });
  return { ...query, types: requested ? all.filter((type) => requested.includes(type)) : all };
}

/** A range for each type, of the transactions that may have a stake of now. */
const partsAt = (time: string, type: string, each?: (value: ValueOf) => string) => (value: ValueOf) =>
  all.map((name) => ({
    ...(each && { each: each(value) }),
    where: `${type} = '${name}' AND '${name}' = ANY(${value('types')})${isRecent(name, value('network'), time)}`,
  }));
const partsOfNetwork = partsAt('t.block_timestamp', 't.tx_type');
const partsOfOwners = partsAt('h.time', 'h.is_open AND h.tx_type', ownersOf);

const common = {
  values: { network: 'network', addresses: 'text[]', types: 'text[]', since: 'numeric', until: 'numeric' },
  bind,
  cursor: byTime.cursor,
  columns: transactionRows.columns,
  toNode: transactionRows.toNode,
  lookup: { from: transactionRows.from, on: 't.id = page.k3' },
};
const filters = { txTypes: { as: 'types' }, ...timeFilters } as const;

const ofNetwork = defineList<StakingTransactionQuery, TransactionNode, StakingTransactionNarrowing>({
  name: 'staking_txs',
  ...common,
  from: stakeFrom,
  where: (value, given, request, direction) =>
    [
      `t.network = ${value('network')} AND t.chain = 'p' AND ${isOpen} AND ${isPresent} AND ${followsNetwork(value('network'))}`,
      ...inTimes('t.block_timestamp', value, given, request, direction),
    ].join(' AND '),
  filters: { ...filters, addresses: 'never' },
  ranges: (value) => ({ parts: partsOfNetwork(value), overlap: false }),
  order: ({ sortOrder }) => timeOrder(sortOrder),
});

const ofAddresses = defineList<StakingTransactionQuery, TransactionNode, StakingTransactionNarrowing>({
  name: 'owned_staking_txs',
  ...common,
  from: `address_transaction h JOIN ${stakeFrom} ON true`,
  where: (value, given, request, direction) =>
    [
      `h.address_id = owner.id AND t.id = h.transaction_id AND ${isPresent} AND ${followsNetwork(value('network'))}`,
      ...inTimes('h.time', value, given, request, direction),
    ].join(' AND '),
  filters: { ...filters, addresses: { as: 'addresses' } },
  ranges: (value) => ({ parts: partsOfOwners(value), overlap: true }),
  order: ({ sortOrder }) => linkOrder('h', sortOrder),
});

/** The transactions that began the stakes of now: all, or those of addresses. */
export const stakingTransactionList = eitherList<StakingTransactionQuery, TransactionNode>(
  'all_staking_txs',
  transactionRows,
  ({ addresses }) => (addresses === null ? ofNetwork : ofAddresses),
);
