import type { Named } from '../naming/import-store.js';

/** The L1 validators that transactions changed. */
export const namedL1Validators: Named = {
  table: 'l1_validator',
  name: 'validation_id',
  links: 'l1_validator_transaction',
  rowId: 'l1_validator_row_id',
  names: `
    SELECT item.value->>'validationId' FROM jsonb_array_elements(t.details->'l1ValidatorDetails') AS item(value)`,
  pattern: '^[1-9A-HJ-NP-Za-km-z]{32,64}$',
};
