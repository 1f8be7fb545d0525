import { ZERO_ID } from '../../avalanche/codec/ids.js';
import { eitherList } from '../../lists/either.js';
import type { Filters, ValueOf } from '../../lists/list.js';
import { defineList } from '../../lists/read.js';
import { stakingTable } from '../../state/staking.js';
import { followsNetwork } from '../reference/present.js';
import type { ValidatorStakeNarrowing, ValidatorStakeQuery } from './arguments.js';
import * as sql from './columns.js';
import { validatorStakeRows, type ValidatorStakeNode } from './fields.js';
import { boundStatus, byTime, statusFilters } from './shared-list.js';

const { staker } = sql;
const staking = stakingTable.as('c');

/** SQL of the seconds that a stake has left. */
const remaining = (value: ValueOf) =>
  `${staker.endTime} - (SELECT ${staking.chainTime} FROM ${staking.from} WHERE ${staking.network} = ${value('network')})`;

/** Values of which only stakes of now match any. */
const ofPresent = [
  'minDelegationCapacity',
  'maxDelegationCapacity',
  'minTimeRemaining',
  'maxTimeRemaining',
] as const;

const validators = {
  values: {
    network: 'network',
    subnet: 'text',
    primary: 'text',
    nodeId: 'text',
    nodeIds: 'text[]',
    validationStatus: 'text',
    past: 'text',
    minDelegationCapacity: 'numeric',
    maxDelegationCapacity: 'numeric',
    minTimeRemaining: 'numeric',
    maxTimeRemaining: 'numeric',
    minFeePercentage: 'numeric',
    maxFeePercentage: 'numeric',
    minUptimePerformance: 'numeric',
    maxUptimePerformance: 'numeric',
  },
  bind: (query: ValidatorStakeQuery) => {
    const { subnetId } = query;
    return Object.assign({}, query, subnetId === ZERO_ID ? { primary: subnetId } : { subnet: subnetId });
  },
  filters: {
    // A transaction of the primary network need not say so.
    subnetId: { as: ['subnet', 'primary'] },
    subnet: { sql: (value) => `t.details->>'subnetId' = ${value('subnet')}` },
    primary: { sql: (value) => `${sql.subnet} = ${value('primary')}` },
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
  bind: (query) => {
    const { present, ...status } = boundStatus(query.validationStatus);
    const isOfPresent = ofPresent.some((name) => query[name] !== null);
    return { ...validators.bind(query), ...status, present: isOfPresent || present };
  },
  filters: { ...validators.filters, validationStatus: { as: Object.keys(statusFilters) }, ...statusFilters },
  lookup: { from: validatorStakeRows.from, on: 't.id = page.k3' },
});

const sortColumns = {
  delegationCapacity: `coalesce(${sql.capacity}, -1)`,
  timeRemaining: staker.endTime,
  delegationFee: staker.shares,
  uptimePerformance: sql.uptimeOrNone,
};

/** Those that have not ended, by what they are now: some thousands, whose transactions are looked up. */
const presentValidatorStakes = defineList<ValidatorStakeQuery, ValidatorStakeNode, ValidatorStakeNarrowing>({
  name: 'present_validator_stakes',
  ...validators,
  from: sql.presentFrom,
  where: (value) =>
    `${staker.network} = ${value('network')} AND ${sql.isPresentValidator} AND ${followsNetwork(value('network'))}`,
  cursor: { table: 'transaction' },
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
