import { defineFind } from '../../lists/find.js';
import { sortedBy } from '../../lists/order.js';
import { defineList } from '../../lists/read.js';
import { stakerTable } from '../../state/staking.js';
import type { OfReferenced } from '../reference/list.js';
import { isOfSubnet, isStaking } from '../reference/present.js';
import type { CurrentValidatorNarrowing, CurrentValidatorQuery } from './arguments.js';
import {
  capacity,
  currentValidatorRows,
  isValidator,
  subnetTotalsRows,
  subnetValidatorRows,
  totalWeight,
} from './fields.js';
import type { SubnetTotalsNode, SubnetValidatorNode } from './fields.js';

const staker = stakerTable.as('f');

const sortColumns = {
  weight: (alias: string) => `(${alias}.weight + ${alias}.delegated_weight)`,
  endTimestamp: (alias: string) => `${alias}.end_time`,
  delegationFee: (alias: string) => `${alias}.shares`,
};

/** The nodes that ever validated a subnet, by its row id; by node id. Cursors are row ids of validators. */
export const subnetValidatorList = defineList<OfReferenced, SubnetValidatorNode, never>({
  name: 'subnet_validators',
  values: { rowId: 'bigint' },
  parent: ['rowId'],
  from: 'subnet_validator b JOIN subnet s ON s.id = b.subnet_row_id',
  where: (value) => `b.subnet_row_id = ${value('rowId')}`,
  order: sortedBy('b', 'asc', ['node_id']),
  cursor: { table: 'validator' },
  columns: subnetValidatorRows.columns,
  toNode: subnetValidatorRows.toNode,
  lookup: {
    from: subnetValidatorRows.from,
    on: 'v.id = page.row_id',
    keys: { row_id: 'b.validator_row_id', subnet_id: 's.subnet_id' },
  },
});

/**
 * The nodes that validate a subnet or wait for their start. Each order is an index, which includes what the
 * filters read: they pass over its entries, of which a subnet has one for each validator. Cursors are row ids
 * of stakers.
 */
export const currentValidatorList = defineList<
  CurrentValidatorQuery,
  SubnetValidatorNode,
  CurrentValidatorNarrowing
>({
  name: 'current_validators',
  values: {
    network: 'network',
    subnetId: 'text',
    active: 'boolean',
    minWeight: 'numeric',
    maxDelegationFeePercent: 'numeric',
    minDelegationCapacity: 'numeric',
    endsAfter: 'bigint',
    endsBefore: 'bigint',
    nodeIdContains: 'text',
  },
  parent: ['network', 'subnetId'],
  from: staker.from,
  where: (value) => `${isOfSubnet(value('network'), value('subnetId'))} AND ${isValidator}`,
  filters: {
    active: { sql: (value) => `(${isStaking}) = ${value('active')}` },
    minWeight: { sql: (value) => `${totalWeight} >= ${value('minWeight')}` },
    maxDelegationFeePercent: {
      sql: (value) => `${staker.shares} <= ${value('maxDelegationFeePercent')} * 10000`,
    },
    minDelegationCapacity: { sql: (value) => `${capacity} >= ${value('minDelegationCapacity')}` },
    endsAfter: { sql: (value) => `${staker.endTime} >= ${value('endsAfter')}` },
    endsBefore: { sql: (value) => `${staker.endTime} < ${value('endsBefore')}` },
    nodeIdContains: {
      sql: (value) => `strpos(lower(${staker.nodeId}), lower(${value('nodeIdContains')})) > 0`,
    },
  },
  order: ({ sortBy, sortOrder }) => {
    const position = (alias: string) => [sortColumns[sortBy](alias), `${alias}.node_id COLLATE "C"`];
    return { name: sortBy, direction: sortOrder, columns: position('f'), position, moves: [0] };
  },
  cursor: { table: stakerTable.name },
  columns: currentValidatorRows.columns,
  toNode: currentValidatorRows.toNode,
  lookup: {
    from: currentValidatorRows.from,
    on: `${staker.id} = page.row_id`,
    keys: { row_id: staker.id },
  },
});

/** The sums over the present validators of subnets, by the subnets' row ids. */
export const findSubnetTotals = defineFind<OfReferenced, SubnetTotalsNode>(
  'subnet_totals',
  subnetTotalsRows,
  { rowId: ['bigint', 's.id'] },
);
