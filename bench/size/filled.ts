/** A text of 32 bytes as ids have, which a number gives; `cb58` ids are some 50 characters. */
const id = (salt: string) => `encode(sha256(('${salt}' || n)::bytea), 'base64')`;
const bytes = (salt: string, length: number) =>
  `substring(sha256(('${salt}' || n)::bytea) FROM 1 FOR ${length})`;
const owner = `'{"threshold":1,"addresses":["avax1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm"]}'`;

/**
 * Tables that no import fills: a follower does, or the operator. For each the part of `--rows` that is made,
 * and the columns' values for the number n.
 */
export const filled: Readonly<Record<string, { part: number; values: Readonly<Record<string, string>> }>> = {
  icm_waiting: {
    part: 0.1,
    values: {
      network: `'mainnet'`,
      message_id: bytes('message', 32),
      blockchain_id: id('chain'),
      message_executed: 'n % 2 = 0',
      receipt_delivered: 'n % 2 = 1',
    },
  },
  api_key: {
    part: 0.1,
    values: { hash: bytes('key', 32), name: `'caller ' || n`, plan: `'free'`, rights: `'{}'` },
  },
  follow_gap: {
    part: 0.1,
    values: {
      network: `'mainnet'`,
      name: `'internals'`,
      height: 'n',
      block_id: id('block'),
      transactions: `ARRAY[${id('tx')}]`,
      reason: `'no node traces it'`,
      next_try: 'now()',
    },
  },
  follow_token: {
    part: 0.1,
    values: { evm_chain_id: '43114', contract: bytes('token', 20), since: 'n', created: 'n' },
  },
  follow_token_id: {
    part: 1,
    values: {
      evm_chain_id: '43114',
      contract: bytes('token', 20),
      owner: `sha256((n % 3000)::text::bytea)`,
      token_id: 'n',
      day: '20000 + n % 300',
      balance: '1',
    },
  },
  follow_token_count: {
    part: 1,
    values: {
      evm_chain_id: '43114',
      contract: bytes('token', 20),
      owner: bytes('owner', 20),
      day: '20000 + n % 300',
      count: '1',
    },
  },
  follow_l1_validator: {
    part: 0.1,
    values: {
      network: `'mainnet'`,
      validation_id: id('validation'),
      subnet_id: id('subnet'),
      node_id: `'NodeID-' || ${id('node')}`,
      weight: '100',
      end_fee: '1000000000',
      owner,
    },
  },
  follow_staker: {
    part: 0.5,
    values: {
      network: `'mainnet'`,
      tx_id: id('staker'),
      tx_type: `'AddPermissionlessDelegatorTx'`,
      subnet_id: `'11111111111111111111111111111111LpoYY'`,
      node_id: `'NodeID-' || ${id('node')}`,
      priority: '1',
      start_time: '1700000000 + n',
      end_time: '1710000000 + n',
      weight: '25000000000',
      potential_reward: '1000000000',
      delegatee_reward: '0',
      shares: '20000',
      fee_owner: owner,
    },
  },
  follow_subnet_fee: {
    part: 0.1,
    values: { network: `'mainnet'`, subnet_id: id('subnet'), day: '20000', fees: '1000000000', payers: '5' },
  },
};

/** Fills one of these. @param rows of which the table gets its part */
export function fillText(table: string, rows: number): string {
  const { part, values } = filled[table]!;
  return (
    `INSERT INTO ${table} (${Object.keys(values).join(', ')}) ` +
    `SELECT ${Object.values(values).join(', ')} FROM generate_series(1, ${Math.ceil(rows * part)}) n`
  );
}
