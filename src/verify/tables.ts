import type { Network } from '../avalanche/networks.js';
import * as following from '../state/following.js';
import * as staking from '../state/staking.js';
import { messageValues } from './message-values.js';

/** Whose rows are read: of a network and its C-chain; null: all. */
export type Scope = { readonly network: Network; readonly cEvmChainId: bigint } | null;

/** A table whose rows can be proved. */
export interface ProvedTable {
  readonly name: string;
  /**
   * The columns that name a row on every installation; a row id among them stands for the key of the row that
   * it names.
   */
  readonly key: readonly string[];
  /** The columns that are row ids, with the table of each. */
  readonly references?: Readonly<Record<string, string>>;
  /** Columns that are not compared: they say when and how the data came, not what they are. */
  readonly unproved?: readonly string[];
  /** Columns that blocks do not contain: they are compared with what an import computes. */
  readonly notOnChain?: readonly string[];
  /** Columns that one node says and another does not: null on either side is no difference. */
  readonly ofSomeNodes?: readonly string[];
  /** Whether rows that nothing names may be left of earlier data. */
  readonly isDictionary?: boolean;
  /** Columns whose 0 stands for an unknown value, as null does; files have only the latter. */
  readonly zeroIsUnknown?: readonly string[];
  /** A sort key of src/avalanche/sort-key.ts. A stored one without the position in the block is not wrong. */
  readonly sortKey?: string;
  /** Where blocks of the C-chain say only a part of a row: SQL of these parts, with `key` and `row`. */
  readonly partsOf?: (scope: NonNullable<Scope>) => string;
}

const output = { utxo_row_id: 'utxo' } as const;
const owner = { address_id: 'address', asset_row_id: 'asset' } as const;
const transaction = { transaction_id: 'transaction' } as const;
const references = { ...transaction, ...output } as const;
const validated = { subnet_row_id: 'subnet', validator_row_id: 'validator' } as const;
/** Transactions of an object, by its row id. */
const transactionsOf = (table: string, column: string): ProvedTable => ({
  name: `${table}_transaction`,
  key: ['transaction_id', column],
  references: { ...transaction, [column]: table },
  sortKey: 'tie',
});

/** Of an NFT, what its document says. */
const metadata =
  'metadata_status failure_reason fetched_at standard metadata_address raw_metadata name description image attributes';
/** Of the state of stakers, what comparisons with nodes found. */
const findings =
  'difference different_since checked_height checked_at doubt doubted_since doubted_rewards withheld_since is_left_out';

/** Tables that a follower fills: a network that is followed again gives the same rows. */
export const followedTables: readonly ProvedTable[] = [
  { name: 'asset', key: ['network', 'asset_id'], isDictionary: true },
  { name: 'address', key: ['network', 'address'], isDictionary: true },
  {
    name: 'utxo',
    key: ['network', 'utxo_id'],
    references: { asset_row_id: 'asset' },
    zeroIsUnknown: ['consuming_block_timestamp'],
  },
  { name: 'utxo_owner', key: ['utxo_row_id', 'address_id', 'chain'], references: { ...output, ...owner } },
  { name: 'address_balance', key: ['address_id', 'chain', 'asset_row_id'], references: owner },
  {
    name: 'address_holding',
    key: 'address_id kind created_on consumed_on until opens asset_row_id shared owner_set'.split(' '),
    references: owner,
  },
  {
    name: 'holding_output',
    key: ['holding_id', 'utxo_row_id'],
    references: { holding_id: 'address_holding', ...output },
  },
  { name: 'address_day', key: ['address_id', 'asset_row_id', 'day'], references: owner },
  { name: 'transaction', key: ['network', 'chain', 'tx_hash'], sortKey: 'tie' },
  { name: 'transaction_day', key: ['network', 'day', 'chain', 'tx_type'] },
  { name: 'stake_day', key: ['network', 'day'] },
  { name: 'active_address_day', key: ['network', 'day', 'scope'] },
  { name: 'block', key: ['network', 'chain', 'number'], ofSomeNodes: ['proposer_node_id'] },
  { name: 'transaction_output', key: ['transaction_id', 'position'], references },
  { name: 'transaction_input', key: ['transaction_id', 'position'], references },
  transactionsOf('address', 'address_id'),
  transactionsOf('asset', 'asset_row_id'),
  { name: 'subnet', key: ['network', 'subnet_id'], isDictionary: true },
  transactionsOf('subnet', 'subnet_row_id'),
  { name: 'validator', key: ['network', 'node_id'], isDictionary: true },
  transactionsOf('validator', 'validator_row_id'),
  {
    ...transactionsOf('address', 'address_id'),
    name: 'reward_transaction',
    references: { ...transaction, address_id: 'address', validator_row_id: 'validator' },
  },
  { name: 'subnet_validator', key: ['subnet_row_id', 'node_id'], references: validated },
  {
    name: 'l1_validator',
    key: ['network', 'validation_id'],
    references: validated,
    isDictionary: true,
  },
  transactionsOf('l1_validator', 'l1_validator_row_id'),
  { name: 'vertex', key: ['network', 'vertex_hash'] },
  { name: 'vertex_transaction', key: ['vertex_id', 'position'], references: { vertex_id: 'vertex' } },
  { name: 'chain', key: ['evm_chain_id'] },
  { name: 'internal_tx', key: ['evm_chain_id', 'tx_hash', 'position', 'tie'] },
  { name: 'subnet_metric', key: ['network', 'subnet_id', 'series', 'day'] },
  {
    name: 'nft_token',
    key: ['evm_chain_id', 'address', 'token_id'],
    unproved: ['reindex_requested_at', 'job_id', 'job_attempt', 'job_lease_until'],
    notOnChain: metadata.split(' '),
    // A request to reindex adds a token that was never transferred.
    isDictionary: true,
  },
  {
    name: 'icm_message',
    key: ['network', 'message_id'],
    references: { source_id: 'icm_chain', destination_id: 'icm_chain' },
    sortKey: 'tie',
    partsOf: messageValues,
  },
  { name: 'evm_address', key: ['address'], isDictionary: true },
  { name: 'evm_holding', key: ['evm_chain_id', 'kind', 'contract'], isDictionary: true },
  {
    name: 'evm_balance',
    key: ['holding_id', 'address_id', 'day'],
    references: { holding_id: 'evm_holding', address_id: 'evm_address' },
  },
];

/** What the stream of balances fills; files do where it is not followed. */
export const balanceTables: readonly string[] = [
  'evm_address',
  'evm_holding',
  'evm_balance',
  'follow_token_id',
  'follow_token_count',
];

/** The follower's own: its state after the newest block that is stored. */
export const stateTables: readonly ProvedTable[] = [
  following.networkTable,
  {
    ...following.pipelineTable,
    unproved:
      'head current_at state note counters refused_rows past_goal past_blocks_per_hour updated_at'.split(' '),
  },
  { ...staking.stakingTable, unproved: findings.split(' ') },
  { ...staking.stakerTable, unproved: ['id', 'uptime'] },
  staking.stakeTotalTable,
  staking.supplyTable,
  staking.l1ValidatorTable,
  staking.subnetFeeTable,
  staking.paidFeeTable,
  staking.feeDayTable,
  { name: 'follow_token_id', key: ['evm_chain_id', 'contract', 'owner', 'token_id', 'day'] },
  { name: 'follow_token_count', key: ['evm_chain_id', 'contract', 'owner', 'day'] },
];

/** Tables that no block says whole: they are compared with what an import makes of their own rows. */
export const importedTables: readonly ProvedTable[] = [
  { name: 'icm_chain', key: ['network', 'blockchain_id', 'evm_chain_id'], isDictionary: true },
  { name: 'message_day', key: ['network', 'day', 'chain_id'], references: { chain_id: 'icm_chain' } },
];

/** Tables that nothing outside this installation can prove. */
export const ownTables: readonly string[] = [
  // Its identity, its keys, marks of its work, and in which order its transactions committed.
  'installation',
  'api_key',
  'replica_proof',
  'write_version',
  'late_index',
  'feed',
  // Webhooks, random versions of what is cached, and what waits for a message that is not stored.
  ...['', '_subject', '_level', '_event', '_secret', '_position'].map((part) => `webhook${part}`),
  'evm_holding_version',
  'icm_waiting',
  // How often nodes were called, how they are, which were not met, and what none offers.
  'follow_endpoint',
  'follow_request',
  following.waitingTable.name,
  following.leftOutTable.name,
  // What nodes refused, which others may have given, and blocks that have not joined those that are proved.
  following.gapTable.name,
  following.rangeTable.name,
  // Which tokens the operator named, and when.
  'follow_token',
];

const known = new Map([...followedTables, ...stateTables, ...importedTables].map((one) => [one.name, one]));

/** @throws Error for a table that is not declared */
export function tableNamed(name: string): ProvedTable {
  const table = known.get(name);
  if (!table) throw new Error(`${name} is not a table that is proved`);
  return table;
}
