import type { Network } from '../../avalanche/networks.js';
import { defineFind } from '../../lists/find.js';
import { sortedBy } from '../../lists/order.js';
import { defineList } from '../../lists/read.js';
import type { OfReferenced } from '../reference/list.js';
import { transactionRows, type TransactionNode } from '../transaction/fields.js';
import { linksByTime } from '../transaction/list.js';
import type { L1ValidatorQuery } from './arguments.js';
import { isPresent, l1ValidatorChangeRows, l1ValidatorRows, withValues } from './fields.js';
import type { L1ValidatorChangeNode, L1ValidatorNode } from './fields.js';

// Not EXISTS, for the reason in `src/resources/subnet/fields.ts`.
const isIndexed =
  'coalesce((SELECT true FROM l1_validator_transaction l WHERE l.l1_validator_row_id = e.id LIMIT 1), false)';

/** What lists of L1 validators share: they are sorted by validation id, cursors are row ids. */
const byValidation = {
  from: 'l1_validator e',
  order: sortedBy('e', 'asc', ['validation_id']),
  cursor: { table: 'l1_validator' },
  columns: l1ValidatorRows.columns,
  toNode: l1ValidatorRows.toNode,
  lookup: { from: l1ValidatorRows.from, on: 'e.id = page.row_id', keys: { row_id: 'e.id' } },
};

/** The L1 validators of a network that any transaction changed. */
export const l1ValidatorList = defineList<L1ValidatorQuery, L1ValidatorNode, never>({
  name: 'l1_validators',
  values: { network: 'network' },
  ...byValidation,
  where: (value) => `e.network = ${value('network')} AND ${isIndexed}`,
});

/**
 * Those of a subnet or of a node, by its row id in a column. A validator that no transaction changes any more
 * belongs to none.
 */
const listOf = (name: string, column: string) =>
  defineList<OfReferenced, L1ValidatorNode, never>({
    name,
    values: { rowId: 'bigint' },
    parent: ['rowId'],
    ...byValidation,
    where: (value) => `e.${column} = ${value('rowId')}`,
  });

export const subnetL1ValidatorList = listOf('subnet_l1_validators', 'subnet_row_id');
export const nodeL1ValidatorList = listOf('validator_l1_validators', 'validator_row_id');

/** The changes of an L1 validator by transactions, newest first. Cursors are row ids of transactions. */
export const l1ValidatorChangeList = defineList<OfReferenced, L1ValidatorChangeNode, never>({
  name: 'l1_validator_changes',
  values: { rowId: 'bigint' },
  parent: ['rowId'],
  from: 'l1_validator_transaction l JOIN l1_validator known ON known.id = l.l1_validator_row_id',
  where: (value) => `l.l1_validator_row_id = ${value('rowId')}`,
  ...linksByTime('l'),
  columns: l1ValidatorChangeRows.columns,
  toNode: l1ValidatorChangeRows.toNode,
  lookup: {
    from: l1ValidatorChangeRows.from,
    on: 't.id = page.k3',
    keys: { validation: 'known.validation_id' },
  },
});

/** The transactions that registered L1 validators, by their row ids. */
export const findCreating = defineFind<OfReferenced, TransactionNode>(
  'l1_validators_creating_transactions',
  {
    ...transactionRows,
    from: `l1_validator e CROSS JOIN LATERAL (
        SELECT l.transaction_id FROM l1_validator_transaction l WHERE l.l1_validator_row_id = e.id
        ORDER BY l.time, l.tie, l.transaction_id LIMIT 1) oldest
      JOIN transaction t ON t.id = oldest.transaction_id`,
  },
  { rowId: ['bigint', 'e.id'] },
);

export interface L1ValidatorKey {
  network: Network;
  validationId: string;
}

export const findL1Validators = defineFind<L1ValidatorKey, L1ValidatorNode>(
  'l1_validators_by_key',
  {
    ...l1ValidatorRows,
    from: withValues(`(SELECT * FROM l1_validator e WHERE ${isIndexed} OR ${isPresent}) e`),
  },
  { network: ['network', 'e.network'], validationId: ['text', 'e.validation_id'] },
);
