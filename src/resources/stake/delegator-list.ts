import { typesWhere } from '../../avalanche/chain/transactions.js';
import { eitherList } from '../../lists/either.js';
import type { ValueOf } from '../../lists/list.js';
import { defineList } from '../../lists/read.js';
import { linkOrder } from '../transaction/list.js';
import type { DelegatorStakeNarrowing, DelegatorStakeQuery } from './arguments.js';
import { delegatorStakeRows, type DelegatorStakeNode } from './fields.js';
import { byTime, fromOf, ofType, boundStatus, statusFilters } from './shared-list.js';

const delegators = {
  values: { network: 'network', rewardAddresses: 'text[]', nodeIds: 'text[]', past: 'text' },
  bind: (query: DelegatorStakeQuery) => ({ ...query, ...boundStatus(query.delegationStatus) }),
  columns: delegatorStakeRows.columns,
  toNode: delegatorStakeRows.toNode,
  lookup: { from: delegatorStakeRows.from, on: 't.id = page.k3' },
};
const delegationStatus = { as: Object.keys(statusFilters) };

/** All, or those to some nodes, each of which is a range of an index. */
const delegatorStakesOfNodes = defineList<DelegatorStakeQuery, DelegatorStakeNode, DelegatorStakeNarrowing>({
  name: 'delegator_stakes',
  ...byTime('delegates'),
  ...delegators,
  filters: { rewardAddresses: 'never', nodeIds: { in: 'ranges' }, delegationStatus, ...statusFilters },
  ranges: (value, filters) => ({
    parts: typesWhere('stake', 'delegates').map((type) =>
      filters.includes('nodeIds')
        ? {
            each: `unnest(${value('nodeIds')}) AS part(node)`,
            where: `${ofType(type, value, filters)} AND t.details->>'nodeId' = part.node`,
          }
        : { where: ofType(type, value, filters) },
    ),
    overlap: false,
  }),
});

/** With nodes, each pair of an owner and a node is a range. */
const nodesOf = (value: ValueOf) => ` CROSS JOIN (
  SELECT id FROM validator WHERE network = ${value('network')} AND node_id = ANY(${value('nodeIds')}) OFFSET 0) node`;

/** Those whose reward addresses are paid. */
const delegatorStakesOfOwners = defineList<DelegatorStakeQuery, DelegatorStakeNode, DelegatorStakeNarrowing>({
  name: 'owned_delegator_stakes',
  ...byTime('delegates'),
  ...delegators,
  from: (value, filters) => `reward_transaction l JOIN ${fromOf(value, filters)} ON true`,
  where: (value) => `l.transaction_id = t.id AND ${byTime('delegates').where(value)}`,
  filters: {
    rewardAddresses: { as: 'rewardAddresses' },
    nodeIds: { in: 'ranges' },
    delegationStatus,
    ...statusFilters,
  },
  ranges: (value, filters) => ({
    parts: typesWhere('stake', 'delegates').map((type) => ({
      each: `(SELECT id FROM address WHERE network = ${value('network')} AND address = ANY(${value('rewardAddresses')})) owner${filters.includes('nodeIds') ? nodesOf(value) : ''}`,
      where: `l.address_id = owner.id AND l.tx_type = '${type}'${filters.includes('nodeIds') ? ' AND l.validator_row_id = node.id' : ''}${filters.includes('present') ? ' AND l.is_open' : ''}`,
    })),
    overlap: true,
  }),
  order: ({ sortOrder }) => linkOrder('l', sortOrder),
});

export const delegatorStakeList = eitherList<DelegatorStakeQuery, DelegatorStakeNode>(
  'all_delegator_stakes',
  delegatorStakeRows,
  ({ rewardAddresses }) => (rewardAddresses === null ? delegatorStakesOfNodes : delegatorStakesOfOwners),
);
