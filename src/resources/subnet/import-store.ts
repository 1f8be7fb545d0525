import type { Named } from './import-names.js';

/** The subnets that transactions name as their own or as that of an L1 validator, and those that they made. */
export const namedSubnets: Named = {
  table: 'subnet',
  name: 'subnet_id',
  links: 'subnet_transaction',
  rowId: 'subnet_row_id',
  names: `
    SELECT t.details->>'subnetId'
    UNION ALL SELECT t.tx_hash WHERE t.tx_type = 'CreateSubnetTx'
    UNION ALL SELECT item.value->>'subnetId' FROM jsonb_array_elements(t.details->'l1ValidatorDetails') AS item(value)`,
  pattern: '^[1-9A-HJ-NP-Za-km-z]{32,64}$',
};
