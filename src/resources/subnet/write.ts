import type { Network } from '../../avalanche/networks.js';
import type { Batch } from '../../storage/session.js';
import type { Referenced } from '../reference/write.js';

/** The subnets that transactions name, also for an L1 validator, and those that they created. */
export const namedSubnets: Referenced = {
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

/** Adds subnets that other rows name: metrics, chains. Known subnets write nothing. */
export async function addSubnets(
  client: Batch,
  subnets: readonly { network: Network; subnetId: string }[],
): Promise<void> {
  if (subnets.length === 0) return;
  await client.query(
    `INSERT INTO subnet (network, subnet_id)
     SELECT DISTINCT given.network, given.subnet_id COLLATE "C"
     FROM unnest($1::network[], $2::text[]) AS given(network, subnet_id) WHERE NOT EXISTS (
       SELECT 1 FROM subnet known WHERE known.network = given.network AND known.subnet_id = given.subnet_id)
     ORDER BY 1, 2 ON CONFLICT DO NOTHING`,
    [subnets.map(({ network }) => network), subnets.map(({ subnetId }) => subnetId)],
  );
}
