import type { Network } from '../../avalanche/networks.js';
import { defineFind } from '../../lists/find.js';
import { defineList } from '../../lists/read.js';
import type { OfNamed } from '../naming/list.js';
import { byTime } from '../transaction/list.js';
import type { L1ValidatorQuery } from './arguments.js';
import { l1ValidatorChangeRows, l1ValidatorRows } from './fields.js';
import type { L1ValidatorRow } from './row.js';

// Why no EXISTS, `src/resources/subnet/fields.ts` says.
const isHeld =
  'coalesce((SELECT true FROM l1_validator_transaction l WHERE l.l1_validator_row_id = e.id LIMIT 1), false)';

/** The L1 validators of a network that any transaction changed, by validation id. Cursors are row ids. */
export const l1ValidatorList = defineList<L1ValidatorQuery, L1ValidatorRow>({
  name: 'l1_validators',
  values: { network: 'network' },
  from: 'l1_validator e',
  where: (value) => `e.network = ${value('network')} AND ${isHeld}`,
  order: {
    name: '',
    direction: 'asc',
    columns: ['e.validation_id'],
    position: (alias) => [`${alias}.validation_id`],
  },
  cursor: { table: 'l1_validator', at: (alias, id) => `${alias}.id = ${id}` },
  columns: l1ValidatorRows.columns,
  lookup: { from: l1ValidatorRows.from, on: 'e.id = page.row_id', keys: { row_id: 'e.id' } },
});

/** What transactions did to an L1 validator, newest first. Cursors are row ids of transactions. */
export const l1ValidatorChangeList = defineList<OfNamed, L1ValidatorRow>({
  name: 'l1_validator_changes',
  values: { rowId: 'bigint' },
  parent: ['rowId'],
  from: 'l1_validator_transaction l JOIN l1_validator known ON known.id = l.l1_validator_row_id',
  where: (value) => `l.l1_validator_row_id = ${value('rowId')}`,
  order: {
    name: '',
    direction: 'desc',
    columns: ['l.time', 'l.tie', 'l.transaction_id'],
    position: byTime.position,
  },
  cursor: byTime.cursor,
  columns: l1ValidatorChangeRows.columns,
  lookup: {
    from: l1ValidatorChangeRows.from,
    on: 't.id = page.k3',
    keys: { validation: 'known.validation_id' },
  },
});

/** What identifies an L1 validator. */
export interface L1ValidatorKey {
  network: Network;
  validationId: string;
}

export const findL1Validators = defineFind<L1ValidatorKey, L1ValidatorRow>(
  'l1_validators_by_key',
  l1ValidatorRows,
  { network: ['network', 'e.network'], validationId: ['text', 'e.validation_id'] },
);
