import { typesWhere, type TransactionTypeName } from '../../avalanche/chain/transactions.js';
import { ZERO_ID } from '../../avalanche/codec/ids.js';
import { eitherList } from '../../lists/either.js';
import type { ListDeclaration, Order, ValueOf } from '../../lists/list.js';
import { defineList } from '../../lists/read.js';
import type { ListOrder } from '../../paging/keyset.js';
import { stakerTable } from '../../state/staking.js';
import { ownersOf } from '../address/query.js';
import { followsNetwork, isOpen } from '../reference/present.js';
import { byTime, linkOrder, timeOrder } from '../transaction/list.js';
import type { RewardNarrowing, RewardQuery } from './arguments.js';
import { historicalRewardRows, type HistoricalRewardNode } from './details.js';
import { publishedPendingRows, type PendingRewardNode } from './fields.js';
import { stakes } from './list.js';

const values = { network: 'network', addresses: 'text[]', nodeIds: 'text[]' };

const nodes = (value: ValueOf) =>
  `SELECT id FROM validator WHERE network = ${value('network')} AND node_id = ANY(${value('nodeIds')}) OFFSET 0`;

/**
 * Rewards are found by the transactions that name an address or a node; with both, each pair is a range.
 * FROM of what has a range each, and which rows `l` it has.
 */
const ways = {
  addresses: { each: ownersOf, where: 'l.address_id = owner.id' },
  nodeIds: { each: (value: ValueOf) => `(${nodes(value)}) owner`, where: 'l.validator_row_id = owner.id' },
  both: {
    each: (value: ValueOf) => `${ownersOf(value)} CROSS JOIN (${nodes(value)}) node`,
    where: 'l.address_id = owner.id AND l.validator_row_id = node.id',
  },
};
type Way = keyof typeof ways;
/** Parts of the names of lists. */
const names = { addresses: 'address', nodeIds: 'node', both: 'both' };

const wayOf = ({ addresses, nodeIds }: RewardQuery): Way =>
  addresses === null ? 'nodeIds' : nodeIds === null ? 'addresses' : 'both';

const filters = { addresses: { as: 'addresses' }, nodeIds: { as: 'nodeIds' } } as const;

/** A range for each of them and each type. */
const rangesBy = (way: Way, types: readonly TransactionTypeName[], also: string) => (value: ValueOf) => ({
  parts: types.map((type) => ({
    each: ways[way].each(value),
    where: `${ways[way].where} AND l.tx_type = '${type}'${also}`,
  })),
  overlap: true,
});

const staker = stakerTable.as('f');

/** Of a node alone, no table says which of its transactions began a stake of now. */
const openOfNodes = {
  from: 'transaction t',
  ranges: (value: ValueOf) => ({
    parts: stakes.map((type) => ({
      each: `unnest(${value('nodeIds')}) AS part(node)`,
      where: `t.network = ${value('network')} AND t.chain = 'p' AND ${isOpen} AND t.tx_type = '${type}'
        AND t.details->>'nodeId' = part.node`,
    })),
    overlap: false,
  }),
  order: (direction: ListOrder) => timeOrder(direction),
};
const openOfAddresses = (way: Way) => ({
  from: 'reward_transaction l JOIN transaction t ON t.id = l.transaction_id',
  ranges: rangesBy(way, stakes, ' AND l.is_open'),
  order: (direction: ListOrder) => linkOrder('l', direction),
});

const pendingBy = (way: Way) => {
  const { from, ranges, order } = way === 'nodeIds' ? openOfNodes : openOfAddresses(way);
  return defineList<RewardQuery, PendingRewardNode, RewardNarrowing>({
    name: `pending_rewards_by_${names[way]}`,
    values,
    from: `${from}
      JOIN ${staker.from} ON ${staker.network} = t.network AND ${staker.txId} = t.tx_hash AND ${staker.subnetId} = '${ZERO_ID}'`,
    where: (value) => followsNetwork(value('network')),
    ranges,
    filters,
    order: ({ sortOrder }) => Object.assign(order(sortOrder), { name: sortOrder }),
    cursor: byTime.cursor,
    columns: publishedPendingRows.columns,
    toNode: publishedPendingRows.toNode,
    lookup: { from: publishedPendingRows.from, on: 't.id = page.k3' },
  });
};

/**
 * The outputs that paid rewards, with what paid them: a cursor is the row id of an output. `prunes` bounds
 * the index range by time too, which a comparison over several tables does not.
 */
const paid: Pick<ListDeclaration<RewardQuery>, 'cursor'> & { order: (query: RewardQuery) => Order } = {
  order: ({ sortOrder }) => ({
    name: sortOrder,
    direction: sortOrder,
    columns: ['l.time', 'l.tie', 'l.transaction_id', 'paid.position', 'paid.id'],
    position: (alias) =>
      ['block_timestamp', 'tie', 'transaction_id', 'position', 'id'].map((each) => `${alias}.${each}`),
    moves: [0, 1],
    prunes: true,
  }),
  cursor: {
    table: `(
      SELECT o.utxo_row_id AS id, o.position, t.id AS transaction_id, t.block_timestamp, t.tie
      FROM transaction_output o JOIN transaction t ON t.id = o.transaction_id)`,
    once: true,
  },
};

const historicalBy = (way: Way) =>
  defineList<RewardQuery, HistoricalRewardNode, RewardNarrowing>({
    name: `historical_rewards_by_${names[way]}`,
    values,
    // A transaction pays several, each its own output. Without the fence (OFFSET 0) PostgreSQL may read all
    // rewards.
    from: (value) => `${way === 'nodeIds' ? 'validator' : 'reward'}_transaction l CROSS JOIN LATERAL (
      SELECT o.position, u.id FROM transaction_output o JOIN utxo u ON u.id = o.utxo_row_id
      WHERE o.transaction_id = l.transaction_id AND u.reward_type IS NOT NULL
        ${way === 'nodeIds' ? '' : `AND u.addresses && ${value('addresses')}`} OFFSET 0) paid`,
    where: () => 'true',
    ranges: rangesBy(way, typesWhere('stake', 'ends'), ''),
    filters,
    ...paid,
    columns: historicalRewardRows.columns,
    toNode: historicalRewardRows.toNode,
    lookup: { from: historicalRewardRows.from, on: 't.id = page.k3 AND u.id = page.k5' },
  });

const each = <Of>(list: (way: Way) => Of) => ({
  addresses: list('addresses'),
  nodeIds: list('nodeIds'),
  both: list('both'),
});
const pending = each(pendingBy);
const historical = each(historicalBy);

/** The rewards of the stakes of now on the primary network, by the transactions that began them. */
export const networkPendingList = eitherList<RewardQuery, PendingRewardNode>(
  'network_pending_rewards',
  publishedPendingRows,
  (query) => pending[wayOf(query)],
);

/** The rewards that were paid, by the transactions that paid them. */
export const historicalRewardList = eitherList<RewardQuery, HistoricalRewardNode>(
  'historical_rewards',
  historicalRewardRows,
  (query) => historical[wayOf(query)],
);
