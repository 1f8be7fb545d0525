import type { Batch } from '../../storage/session.js';
import type { Referenced } from '../reference/write.js';
import { newestChanges } from './fields.js';

/** The L1 validators that transactions changed. */
export const namedL1Validators: Referenced = {
  table: 'l1_validator',
  name: 'validation_id',
  links: 'l1_validator_transaction',
  rowId: 'l1_validator_row_id',
  names: `
    SELECT item.value->>'validationId' FROM jsonb_array_elements(t.details->'l1ValidatorDetails') AS item(value)`,
  pattern: '^[1-9A-HJ-NP-Za-km-z]{32,64}$',
};

/**
 * Makes the stored subnet and node of L1 validators, those that the newest transaction names, agree with
 * transactions. The rows that these name must be written, under the network's import lock.
 *
 * @param rowIds row ids of L1 validators
 */
export async function writeCurrent(client: Batch, rowIds: readonly string[]): Promise<void> {
  if (rowIds.length === 0) return;
  await client.query(
    `UPDATE l1_validator known SET subnet_row_id = now.subnet_row_id, validator_row_id = now.validator_row_id
     FROM (
       SELECT given.id, s.id AS subnet_row_id, v.id AS validator_row_id
       FROM unnest($1::bigint[]) AS given(id)
       LEFT JOIN LATERAL (
         SELECT e.network, newest.change FROM ${newestChanges} WHERE e.id = given.id OFFSET 0) last ON true
       LEFT JOIN subnet s ON s.network = last.network AND s.subnet_id = last.change->>'subnetId'
       LEFT JOIN validator v ON v.network = last.network AND v.node_id = last.change->>'nodeId') now
     WHERE known.id = now.id AND (known.subnet_row_id, known.validator_row_id)
       IS DISTINCT FROM (now.subnet_row_id, now.validator_row_id)`,
    [rowIds],
  );
}
