import type { Batch } from '../../storage/session.js';
import { typesWhere } from '../../avalanche/chain/transactions.js';

/** A node that validates a subnet: row ids, decimal texts. */
export interface SubnetValidator {
  subnet: string;
  validator: string;
}

const types = [...typesWhere('stake', 'validates'), ...typesWhere('stake', 'delegates')];

/**
 * Pairs of row ids, of subnets and of validators, that staking transactions name: $1 are their row ids, $2
 * the types.
 */
const NAMED = `SELECT DISTINCT s.id AS subnet, v.id AS validator FROM transaction t
     JOIN subnet s ON s.network = t.network AND s.subnet_id = t.details->>'subnetId'
     JOIN validator v ON v.network = t.network AND v.node_id = t.details->>'nodeId'
     WHERE t.id = ANY($1::bigint[]) AND t.chain = 'p' AND t.tx_type = ANY($2)`;

/**
 * The validators of subnets that may no longer be validators once these transactions are rewritten. Call it
 * before the references are written, which replaces the old ones.
 *
 * @param transactionIds row ids of P-chain transactions
 */
export async function formerSubnetValidators(
  client: Batch,
  transactionIds: readonly string[],
): Promise<readonly SubnetValidator[]> {
  if (transactionIds.length === 0) return [];
  const { rows } = await client.query<SubnetValidator>(
    `SELECT DISTINCT b.subnet_row_id::text AS subnet, b.validator_row_id::text AS validator
     FROM subnet_transaction s
     JOIN validator_transaction v ON v.transaction_id = s.transaction_id
     JOIN validator known ON known.id = v.validator_row_id
     JOIN subnet_validator b ON b.subnet_row_id = s.subnet_row_id AND b.node_id = known.node_id
     WHERE s.transaction_id = ANY($1::bigint[]) AND s.tx_type = ANY($2)`,
    [transactionIds, types],
  );
  return rows;
}

/**
 * Makes the stored validators of subnets agree with transactions, whose references must be written. Must run
 * under the network's import lock.
 *
 * @param transactionIds row ids of P-chain transactions
 * @param former what formerSubnetValidators returned for them
 */
export async function writeSubnetValidators(
  client: Batch,
  transactionIds: readonly string[],
  former: readonly SubnetValidator[],
): Promise<void> {
  await client.query(
    `INSERT INTO subnet_validator (subnet_row_id, validator_row_id, node_id)
     SELECT current.*, v.node_id FROM (${NAMED}) AS current JOIN validator v ON v.id = current.validator
     ON CONFLICT DO NOTHING`,
    [transactionIds, types],
  );
  if (former.length === 0) return;
  // Most are still named by what was rewritten: the node may have many other transactions, and these are not
  // looked for. A sub-select with a limit does one index look-up; without, the planner might read the whole
  // table.
  await client.query(
    `DELETE FROM subnet_validator b
     USING (SELECT * FROM unnest($3::bigint[], $4::bigint[]) AS former(subnet, validator) EXCEPT ${NAMED}) AS lost,
       subnet s, validator v
     WHERE s.id = lost.subnet AND v.id = lost.validator AND b.subnet_row_id = s.id AND b.node_id = v.node_id
       AND (SELECT true FROM transaction t
         WHERE t.network = s.network AND t.chain = 'p' AND t.details->>'nodeId' = v.node_id
           AND t.details->>'subnetId' = s.subnet_id AND t.tx_type = ANY($2) LIMIT 1) IS NULL`,
    [transactionIds, types, former.map(({ subnet }) => subnet), former.map(({ validator }) => validator)],
  );
}
