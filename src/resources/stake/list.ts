import { typesWhere } from '../../avalanche/chain/transactions.js';
import { eitherList } from '../../lists/either.js';
import type { Filters, ValueOf } from '../../lists/list.js';
import { sortedBy } from '../../lists/order.js';
import { defineList } from '../../lists/read.js';
import { stakingTable } from '../../state/staking.js';
import type { ListOrder } from '../../paging/keyset.js';
import { followsNetwork } from '../reference/present.js';
import { linkOrder } from '../transaction/list.js';
import type {
  DelegatorStakeNarrowing,
  DelegatorStakeQuery,
  ValidatorStakeNarrowing,
  ValidatorStakeQuery,
} from './arguments.js';
import * as sql from './columns.js';
import { delegatorStakeRows, validatorStakeRows } from './fields.js';
import type { DelegatorStakeNode, ValidatorStakeNode } from './fields.js';

const { staker } = sql;
const staking = stakingTable.as('c');

/** What lists over the transactions that began stakes share: by time. Cursors are row ids. */
const byTime = (stake: 'validates' | 'delegates') => ({
  where: (value: ValueOf) =>
    `t.network = ${value('network')} AND t.chain = 'p' AND ${sql.isStake} AND ${followsNetwork(value('network'))}`,
  ranges: () => ({
    parts: typesWhere('stake', stake).map((type) => ({ where: `t.tx_type = '${type}'` })),
    overlap: false,
  }),
  order: ({ sortOrder }: { sortOrder: ListOrder }) =>
    sortedBy('t', sortOrder, ['block_timestamp', 'tie', 'id'], { moves: [0, 1] }),
  cursor: { table: 'transaction' },
  from: sql.stakeFrom,
});

/** SQL of the seconds that a stake has left. */
const remaining = (value: ValueOf) =>
  `${staker.endTime} - (SELECT ${staking.chainTime} FROM ${staking.from} WHERE ${staking.network} = ${value('network')})`;

const validators = {
  values: {
    network: 'network',
    subnetId: 'text',
    nodeId: 'text',
    nodeIds: 'text[]',
    validationStatus: 'text',
    minDelegationCapacity: 'numeric',
    maxDelegationCapacity: 'numeric',
    minTimeRemaining: 'numeric',
    maxTimeRemaining: 'numeric',
    minFeePercentage: 'numeric',
    maxFeePercentage: 'numeric',
    minUptimePerformance: 'numeric',
    maxUptimePerformance: 'numeric',
  },
  filters: {
    subnetId: { sql: (value) => `${sql.subnet} = ${value('subnetId')}` },
    nodeId: { sql: (value) => `t.details->>'nodeId' = ${value('nodeId')}` },
    nodeIds: {
      sql: (value) =>
        `EXISTS (SELECT 1 FROM unnest(${value('nodeIds')}) part WHERE strpos(lower(${sql.node}), lower(part)) > 0)`,
    },
    validationStatus: { sql: (value) => `(${sql.status}) = ${value('validationStatus')}` },
    minDelegationCapacity: { sql: (value) => `${sql.capacity} >= ${value('minDelegationCapacity')}` },
    maxDelegationCapacity: { sql: (value) => `${sql.capacity} <= ${value('maxDelegationCapacity')}` },
    minTimeRemaining: { sql: (value) => `${remaining(value)} >= ${value('minTimeRemaining')}` },
    maxTimeRemaining: { sql: (value) => `${remaining(value)} <= ${value('maxTimeRemaining')}` },
    minFeePercentage: { sql: (value) => `${sql.feeNumber} >= ${value('minFeePercentage')}` },
    maxFeePercentage: { sql: (value) => `${sql.feeNumber} <= ${value('maxFeePercentage')}` },
    minUptimePerformance: {
      sql: (value) => `${sql.isActive} AND ${sql.uptimeOrNone} >= ${value('minUptimePerformance')}`,
    },
    maxUptimePerformance: {
      sql: (value) => `${sql.isActive} AND ${sql.uptimeOrNone} <= ${value('maxUptimePerformance')}`,
    },
  } satisfies Filters,
  columns: validatorStakeRows.columns,
  toNode: validatorStakeRows.toNode,
};

const validatorStakesByTime = defineList<ValidatorStakeQuery, ValidatorStakeNode, ValidatorStakeNarrowing>({
  name: 'validator_stakes',
  ...byTime('validates'),
  ...validators,
  lookup: { from: validatorStakeRows.from, on: 't.id = page.k3' },
});

const sortColumns = {
  delegationCapacity: `coalesce(${sql.capacity}, -1)`,
  timeRemaining: staker.endTime,
  delegationFee: staker.shares,
  uptimePerformance: sql.uptimeOrNone,
};

/** Those that have not ended, by what they are now: some thousands, which are sorted for each page. */
const presentValidatorStakes = defineList<ValidatorStakeQuery, ValidatorStakeNode, ValidatorStakeNarrowing>({
  name: 'present_validator_stakes',
  ...byTime('validates'),
  ...validators,
  ranges: () => ({ parts: [{ where: sql.isPresentValidator }], overlap: false }),
  from: sql.presentFrom,
  order: ({ sortBy, sortOrder }) => {
    const column = sortColumns[sortBy as keyof typeof sortColumns];
    return {
      name: sortBy,
      direction: sortOrder,
      columns: [column, 't.tx_hash'],
      position: (alias) => [
        `(SELECT ${column} FROM ${sql.stakeFrom} WHERE t.id = ${alias}.id)`,
        `${alias}.tx_hash`,
      ],
      moves: [0],
    };
  },
  lookup: { from: validatorStakeRows.from, on: 't.id = page.row_id', keys: { row_id: 't.id' } },
});

export const validatorStakeList = eitherList<ValidatorStakeQuery, ValidatorStakeNode>(
  'all_validator_stakes',
  validatorStakeRows,
  ({ sortBy }) => (sortBy in sortColumns ? presentValidatorStakes : validatorStakesByTime),
);

const delegators = {
  values: { network: 'network', rewardAddresses: 'text[]', nodeIds: 'text[]', delegationStatus: 'text' },
  columns: delegatorStakeRows.columns,
  toNode: delegatorStakeRows.toNode,
  lookup: { from: delegatorStakeRows.from, on: 't.id = page.k3' },
};
const ofStatus = { sql: (value: ValueOf) => `(${sql.status}) = ${value('delegationStatus')}` };

/** All, or those to some nodes, each of which is a range of an index. */
const delegatorStakesOfNodes = defineList<DelegatorStakeQuery, DelegatorStakeNode, DelegatorStakeNarrowing>({
  name: 'delegator_stakes',
  ...byTime('delegates'),
  ...delegators,
  filters: { rewardAddresses: 'never', nodeIds: { in: 'ranges' }, delegationStatus: ofStatus },
  ranges: (value, filters) => ({
    parts: typesWhere('stake', 'delegates').map((type) =>
      filters.includes('nodeIds')
        ? {
            each: `unnest(${value('nodeIds')}) AS part(node)`,
            where: `t.tx_type = '${type}' AND t.details->>'nodeId' = part.node`,
          }
        : { where: `t.tx_type = '${type}'` },
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
  },
  ranges: (value) => ({
    parts: typesWhere('stake', 'delegates').map((type) => ({
      each: `(SELECT id FROM address WHERE network = ${value('network')} AND address = ANY(${value('rewardAddresses')})) owner`,
      where: `l.address_id = owner.id AND l.tx_type = '${type}'`,
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
