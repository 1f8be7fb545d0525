import { typesWhere } from '../../avalanche/chain/transactions.js';
import { eitherList } from '../../lists/either.js';
import type { ValueOf } from '../../lists/list.js';
import { defineList } from '../../lists/read.js';
import { isRecent } from '../reference/present.js';
import { linkOrder } from '../transaction/list.js';
import type { DelegatorStakeNarrowing, DelegatorStakeQuery } from './arguments.js';
import * as sql from './columns.js';
import { delegatorStakeRows, type DelegatorStakeNode } from './fields.js';
import { byTime, ofType, presentOf } from './shared-list.js';

const delegators = {
  values: { network: 'network', rewardAddresses: 'text[]', nodeIds: 'text[]', delegationStatus: 'text' },
  bind: (query: DelegatorStakeQuery) => ({ ...query, present: presentOf(query.delegationStatus) }),
  columns: delegatorStakeRows.columns,
  toNode: delegatorStakeRows.toNode,
  lookup: { from: delegatorStakeRows.from, on: 't.id = page.k3' },
};
const present = { in: 'ranges' } as const;
const ofStatus = { sql: (value: ValueOf) => `(${sql.status}) = ${value('delegationStatus')}` };

/** All, or those to some nodes, each of which is a range of an index. */
const delegatorStakesOfNodes = defineList<DelegatorStakeQuery, DelegatorStakeNode, DelegatorStakeNarrowing>({
  name: 'delegator_stakes',
  ...byTime('delegates'),
  ...delegators,
  filters: { rewardAddresses: 'never', nodeIds: { in: 'ranges' }, delegationStatus: ofStatus, present },
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

/** Those whose reward addresses are paid. */
const delegatorStakesOfOwners = defineList<DelegatorStakeQuery, DelegatorStakeNode, DelegatorStakeNarrowing>({
  name: 'owned_delegator_stakes',
  ...byTime('delegates'),
  ...delegators,
  from: `reward_transaction l JOIN ${sql.stakeFrom} ON true`,
  where: (value) => `l.transaction_id = t.id AND ${byTime('delegates').where(value)}`,
  filters: {
    rewardAddresses: { as: 'rewardAddresses' },
    nodeIds: { sql: (value) => `t.details->>'nodeId' = ANY(${value('nodeIds')})` },
    delegationStatus: ofStatus,
    present,
  },
  ranges: (value, filters) => ({
    parts: typesWhere('stake', 'delegates').map((type) => ({
      each: `(SELECT id FROM address WHERE network = ${value('network')} AND address = ANY(${value('rewardAddresses')})) owner`,
      where: `l.address_id = owner.id AND l.tx_type = '${type}'${filters.includes('present') ? isRecent(type, value('network'), 'l.time') : ''}`,
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
