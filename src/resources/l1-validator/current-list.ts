import type { ValueOf } from '../../lists/list.js';
import { defineList } from '../../lists/read.js';
import { l1ValidatorTable, stakingTable } from '../../state/staking.js';
import type { CurrentL1ValidatorNarrowing, CurrentL1ValidatorQuery } from './arguments.js';
import { l1StateOf, l1ValidatorRows, type L1ValidatorNode } from './fields.js';

const validator = l1ValidatorTable.as('f');
const staking = stakingTable.as('c');

/** SQL of something of the state of the network; NULL where that is not known. */
const stateOf = (value: ValueOf, what: string) =>
  `(SELECT ${what} FROM ${staking.from} WHERE ${l1StateOf(value('network'))})`;

const sortColumns = { balance: 'end_fee', weight: 'weight' };

/**
 * The L1 validators of a network or a subnet that are not removed. Fees are the same for all, so that the sum
 * at which a balance is spent sorts balances. Each order is an index, which includes what the filters read.
 * Cursors are row ids of L1 validators.
 */
export const currentL1ValidatorList = defineList<
  CurrentL1ValidatorQuery,
  L1ValidatorNode,
  CurrentL1ValidatorNarrowing
>({
  name: 'current_l1_validators',
  values: {
    network: 'network',
    subnetId: 'text',
    validationId: 'text',
    nodeId: 'text',
    active: 'boolean',
    minBalance: 'numeric',
    runsDryBefore: 'numeric',
    nodeIdContains: 'text',
  },
  parent: ['network', 'subnetId'],
  from: `${validator.from} JOIN l1_validator e ON e.network = ${validator.network} AND e.validation_id = ${validator.validationId}`,
  where: (value) =>
    `${validator.network} = ${value('network')} AND ${validator.weight} > 0 AND ${stateOf(value, 'true')}`,
  filters: {
    subnetId: { sql: (value) => `${validator.subnetId} = ${value('subnetId')} COLLATE "default"` },
    validationId: {
      sql: (value) => `${validator.validationId} = ${value('validationId')} COLLATE "default"`,
    },
    nodeId: { sql: (value) => `${validator.nodeId} = ${value('nodeId')}` },
    active: { sql: (value) => `(${validator.endFee} > 0) = ${value('active')}` },
    minBalance: {
      sql: (value) =>
        `CASE WHEN ${validator.endFee} > 0 THEN ${validator.endFee} - ${stateOf(value, staking.accrued)} ELSE 0 END >= ${value('minBalance')}`,
    },
    runsDryBefore: {
      sql: (value) => `${validator.endFee} > 0 AND ${stateOf(value, staking.chainTime)}
        + div(${validator.endFee} - ${stateOf(value, staking.accrued)}, ${stateOf(value, `nullif(${staking.price}, 0)`)}) < ${value('runsDryBefore')}`,
    },
    nodeIdContains: {
      sql: (value) => `strpos(lower(${validator.nodeId}), lower(${value('nodeIdContains')})) > 0`,
    },
  },
  order: ({ sortBy, sortOrder }) => {
    const column = sortColumns[sortBy];
    const ofCursor = (alias: string) =>
      `(SELECT f.${column} FROM ${validator.from} WHERE ${validator.network} = ${alias}.network
        AND ${validator.validationId} = ${alias}.validation_id COLLATE "default" AND ${validator.weight} > 0)`;
    return {
      name: sortBy,
      direction: sortOrder,
      columns: [`f.${column}`, `${validator.validationId} COLLATE "C"`],
      position: (alias) => [ofCursor(alias), `${alias}.validation_id`],
      moves: [0],
    };
  },
  cursor: { table: 'l1_validator' },
  columns: l1ValidatorRows.columns,
  toNode: l1ValidatorRows.toNode,
  lookup: { from: l1ValidatorRows.from, on: 'e.id = page.row_id', keys: { row_id: 'e.id' } },
});
