/** A wrong value in one row of each table that a follower fills; each names its column. */
export const falsified: readonly [table: string, column: string, value: string, row?: string][] = [
  ['asset', 'symbol', `symbol || '?'`],
  ['utxo', 'amount', 'amount + 1'],
  ['utxo_owner', 'time', 'time + 1'],
  ['address_balance', 'unspent', 'unspent + 1'],
  ['address_holding', 'amount', 'amount + 1'],
  ['holding_output', 'amount', 'amount + 1'],
  ['address_day', 'received', 'received + 1'],
  ['transaction', 'block_number', 'block_number + 1'],
  ['transaction_day', 'burned', 'burned + 1'],
  ['stake_day', 'validators_started', 'validators_started + 1'],
  ['active_address_day', 'newcomers', 'newcomers + 1'],
  ['block', 'tx_count', 'tx_count + 1'],
  [
    'transaction_output',
    'utxo_row_id',
    `(SELECT min(id) FROM utxo WHERE utxo_type = 'STAKE')`,
    'position = 0',
  ],
  [
    'transaction_input',
    'utxo_row_id',
    `(SELECT max(id) FROM utxo WHERE consuming_tx_hash IS NULL)`,
    'position = 0',
  ],
  ['address_transaction', 'time', 'time + 1'],
  ['asset_transaction', 'time', 'time + 1'],
  ['subnet_transaction', 'tx_type', `'UNKNOWN'`],
  ['validator_transaction', 'time', 'time + 1'],
  ['reward_transaction', 'time', 'time + 1'],
  ['l1_validator', 'subnet_row_id', '(SELECT min(id) FROM subnet)'],
  ['l1_validator_transaction', 'tie', 'tie + 1'],
  ['internal_tx', 'value', 'value + 1'],
  ['nft_token', 'last_transfer_block', 'last_transfer_block + 1'],
  ['evm_balance', 'balance', 'balance + 1'],
  ['evm_address', 'checksummed', 'upper(checksummed)'],
  ['chain', 'description', `description || '?'`],
  ['subnet_metric', 'value', 'value + 1'],
  ['follow_network', 'genesis', `genesis || '?'`],
  ['follow_pipeline', 'last_time', 'last_time + 1', `name = 'p'`],
  ['follow_staking', 'excess', 'excess + 1'],
  ['follow_staker', 'delegatee_reward', 'delegatee_reward + 1'],
  ['follow_stake_total', 'weight', 'weight + 1'],
  ['follow_supply', 'supply', 'supply + 1'],
  ['follow_l1_validator', 'end_fee', 'end_fee + 1'],
  ['follow_subnet_fee', 'payers', 'payers + 1'],
  ['follow_paid_fee', 'until_fee', 'until_fee + 1'],
  ['follow_fee_day', 'accrued', 'accrued + 1'],
];
/** Of network C alone: A has no vertices. */
export const falsifiedVertices: typeof falsified = [
  ['vertex', 'height', 'height + 1'],
  ['vertex_transaction', 'tx_hash', `tx_hash || '?'`],
];
/** Tables of which a row has nothing but its key: another key is a missing row. */
export const renamed: readonly [table: string, column: string][] = [
  ['address', 'address'],
  ['subnet', 'subnet_id'],
  ['validator', 'node_id'],
  ['subnet_validator', 'node_id'],
];
/** Proved tables of which network A and C have no row: other tests follow what fills them. */
export const notFalsified = [
  'evm_holding',
  'icm_chain',
  'message_day',
  'follow_token_id',
  'follow_token_count',
];
