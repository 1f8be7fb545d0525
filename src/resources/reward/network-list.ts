import { typesWhere, type TransactionTypeName } from '../../avalanche/chain/transactions.js';
import { ZERO_ID } from '../../avalanche/codec/ids.js';
import { eitherList } from '../../lists/either.js';
import type { ListDeclaration, Order, ValueOf } from '../../lists/list.js';
import { defineList } from '../../lists/read.js';
import { stakerTable } from '../../state/staking.js';
import { ownersOf } from '../address/query.js';
import { followsNetwork, isRecent } from '../reference/present.js';
import { byTime } from '../transaction/list.js';
import type { RewardNarrowing, RewardQuery } from './arguments.js';
import { historicalRewardRows, type HistoricalRewardNode } from './details.js';
import { publishedPendingRows, type PendingRewardNode } from './fields.js';
import { stakes } from './list.js';

const nodesOf = (value: ValueOf) => `(
  SELECT id FROM validator WHERE network = ${value('network')} AND node_id = ANY(${value('nodeIds')}) OFFSET 0) owner`;

/** Rewards are found by the transactions that name an address or a node, newest first. */
const links = {
  addresses: { table: 'reward_transaction', column: 'address_id', owners: ownersOf },
  nodeIds: { table: 'validator_transaction', column: 'validator_row_id', owners: nodesOf },
};
type Found = keyof typeof links;

const values = { network: 'network', addresses: 'text[]', nodeIds: 'text[]' };

/** The filters of a list that is found by one of both; with both, the nodes are a condition. */
const filtersBy = (by: Found) => ({
  addresses: { as: 'addresses' },
  nodeIds:
    by === 'nodeIds'
      ? { as: 'nodeIds' }
      : {
          sql: (value: ValueOf) => `EXISTS (
            SELECT 1 FROM ${nodesOf(value)} JOIN validator_transaction n ON n.validator_row_id = owner.id
            WHERE n.transaction_id = l.transaction_id)`,
        },
});

/** A range for each of the owners and types. */
const rangesBy =
  (
    by: Found,
    types: readonly TransactionTypeName[],
    also: (type: string, value: ValueOf) => string = () => '',
  ) =>
  (value: ValueOf) => ({
    parts: types.map((type) => ({
      each: links[by].owners(value),
      where: `l.${links[by].column} = owner.id AND l.tx_type = '${type}'${also(type, value)}`,
    })),
    overlap: true,
  });

const staker = stakerTable.as('f');

const pendingBy = (by: Found) =>
  defineList<RewardQuery, PendingRewardNode, RewardNarrowing>({
    name: `pending_rewards_by_${by === 'addresses' ? 'address' : 'node'}`,
    values,
    from: `${links[by].table} l JOIN transaction t ON t.id = l.transaction_id
      JOIN ${staker.from} ON ${staker.network} = t.network AND ${staker.txId} = t.tx_hash AND ${staker.subnetId} = '${ZERO_ID}'`,
    where: (value) => followsNetwork(value('network')),
    ranges: rangesBy(by, stakes, (type, value) => isRecent(type, value('network'), 'l.time')),
    filters: filtersBy(by),
    order: ({ sortOrder }) => ({
      ...byTime.order,
      name: sortOrder,
      direction: sortOrder,
      columns: ['l.time', 'l.tie', 'l.transaction_id'],
    }),
    cursor: byTime.cursor,
    columns: publishedPendingRows.columns,
    toNode: publishedPendingRows.toNode,
    lookup: { from: publishedPendingRows.from, on: 't.id = page.k3' },
  });

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

const historicalBy = (by: Found) =>
  defineList<RewardQuery, HistoricalRewardNode, RewardNarrowing>({
    name: `historical_rewards_by_${by === 'addresses' ? 'address' : 'node'}`,
    values,
    // A transaction pays several, each its own output. Without the fence (OFFSET 0) PostgreSQL may read all
    // rewards.
    from: (value) => `${links[by].table} l CROSS JOIN LATERAL (
      SELECT o.position, u.id FROM transaction_output o JOIN utxo u ON u.id = o.utxo_row_id
      WHERE o.transaction_id = l.transaction_id AND u.reward_type IS NOT NULL
        ${by === 'addresses' ? `AND u.addresses && ${value('addresses')}` : ''} OFFSET 0) paid`,
    where: () => 'true',
    ranges: rangesBy(by, typesWhere('stake', 'ends')),
    filters: filtersBy(by),
    ...paid,
    columns: historicalRewardRows.columns,
    toNode: historicalRewardRows.toNode,
    lookup: { from: historicalRewardRows.from, on: 't.id = page.k3 AND u.id = page.k5' },
  });

const pending = { addresses: pendingBy('addresses'), nodeIds: pendingBy('nodeIds') };
const historical = { addresses: historicalBy('addresses'), nodeIds: historicalBy('nodeIds') };

/** The rewards of the stakes of now on the primary network, by the transactions that began them. */
export const networkPendingList = eitherList<RewardQuery, PendingRewardNode>(
  'network_pending_rewards',
  publishedPendingRows,
  ({ addresses }) => (addresses === null ? pending.nodeIds : pending.addresses),
);

/** The rewards that were paid, by the transactions that paid them. */
export const historicalRewardList = eitherList<RewardQuery, HistoricalRewardNode>(
  'historical_rewards',
  historicalRewardRows,
  ({ addresses }) => (addresses === null ? historical.nodeIds : historical.addresses),
);
