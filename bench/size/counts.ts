import { BLOCKS_PER_PARTITION } from '../../src/resources/internal-tx/import-partitions.js';

/** How many rows a table has on a chain, and the source of that number. */
export interface Count {
  rows: number;
  source: string;
}

const estimate = 'estimate for mainnet';
const assumed = 'assumed';

/** The chain whose size is calculated: mainnet. `TABLE=ROWS` on the command line replaces each. */
export const counts = {
  transaction: {
    rows: 20_000_000,
    source: `${estimate}; the P-chain alone was at block 24,114,379 in January 2026`,
  },
  block: {
    rows: 30_000_000,
    source: `${estimate}: the P-chain’s 24 million, a million of the X-chain, and those of the C-chain with atomic transactions`,
  },
  utxo: { rows: 50_000_000, source: estimate },
  utxo_owner: { rows: 105_000_000, source: '2.1 an output: its owners, and every output of the network' },
  transaction_output: { rows: 50_000_000, source: 'as outputs' },
  transaction_input: { rows: 40_000_000, source: estimate },
  address: { rows: 8_000_000, source: estimate },
  address_balance: { rows: 10_000_000, source: estimate },
  vertex: { rows: 3_000_000, source: `${assumed}; one of May 2022 has height 2,121,958` },
  internal_tx: { rows: 3_000_000_000, source: `${estimate}’s C-chain` },
  icm_message: { rows: 5_000_000, source: estimate },
  nft_token: { rows: 50_000_000, source: estimate },
  evm_balance: { rows: 300_000_000, source: estimate },
  evm_address: { rows: 50_000_000, source: estimate },
  subnet_metric: { rows: 1_000_000, source: `${assumed}: 2 series of 357 chains over nearly four years` },
  icm_waiting: { rows: 50_000, source: `${assumed}: one in a hundred messages waits for its other side` },
  follow_token_id: {
    rows: 1_000_000,
    source: `${assumed}: tokens of ERC-1155 of the contracts that FOLLOW_TOKENS names`,
  },
  follow_token_count: { rows: 1_000_000, source: `${assumed}: as follow_token_id` },
  follow_staker: { rows: 30_000, source: `${assumed}: those that stake now` },
  follow_l1_validator: { rows: 10_000, source: `${assumed}: those that are not removed` },
  follow_gap: { rows: 1_000, source: `${assumed}: what no node traces` },
  follow_token: { rows: 1_000, source: `${assumed}: the contracts that FOLLOW_TOKENS names` },
  follow_subnet_fee: { rows: 1_000, source: `${assumed}: one for each subnet with L1 validators` },
  api_key: { rows: 10_000, source: assumed },
} satisfies Record<string, Count>;

/** Tables that stay small, and why. */
export const small: Readonly<Record<string, string>> = {
  installation: 'one row',
  asset: 'a row for each asset of the X-chain',
  asset_transaction: 'a row for each transaction of the X-chain that has another asset than AVAX',
  chain: 'a row for each EVM chain that can be asked about',
  icm_chain: 'a row for each chain that messages name',
  subnet: 'a row for each subnet',
  subnet_validator: 'a row for each node that was named for a subnet',
  validator: 'a row for each node that was ever named',
  l1_validator: 'a row for each L1 validator that ever was',
  evm_holding: 'a row for each coin and contract that has balances',
  evm_holding_version: 'a row for each of these and day on which an import changed it',
  replica_proof: 'a row for each replica and process in the last hour',
  write_version: 'at most 4,098 rows for each network, and one for each EVM chain',
  late_index: 'the indexes that an import has postponed',
  feed: 'what was written in the last 24 hours, at most 256 MiB',
  webhook: 'at most MAX_WEBHOOKS rows for each API key',
  webhook_subject: 'at most MAX_WEBHOOK_ADDRESSES rows for each webhook',
  webhook_level: 'a row for each address or L1 validator with a threshold',
  webhook_event:
    'events that were not sent yet: at most 10,000 and 16 MiB for each webhook, and 1,000 that were set aside',
  webhook_secret: 'a row for each API key with webhooks',
  webhook_position: 'one row',
  follow_fee_day: 'a row for each day',
  follow_paid_fee: 'a row for each time that an L1 validator stopped being active',
  follow_network: 'a row for each network',
  follow_staking: 'a row for each network',
  follow_pipeline: 'a row for each stream',
  follow_endpoint: 'a row for each address of a node',
  follow_request: 'a row for each method and outcome',
  transaction_day: 'a row for each day, chain and type of transactions',
  stake_day: 'a row for each day on which a stake began or ended',
  active_address_day: 'four rows for each day',
  message_day: 'a row for each day and chain that sent or received a message',
  follow_waiting: 'a row for each follower that waits for its node',
  follow_range: 'a row for each range of the past that is being read',
  follow_left_out: 'a row for each stream that no node offers',
  follow_stake_total: 'a row for each subnet that ever had stakers',
  follow_supply: 'a row for each subnet that pays rewards',
};

/** Tables whose rows follow from those of another one: in the same ratio as in the generated rows. */
export const derived: Readonly<Record<string, keyof typeof counts>> = {
  address_transaction: 'transaction',
  subnet_transaction: 'transaction',
  validator_transaction: 'transaction',
  l1_validator_transaction: 'transaction',
  reward_transaction: 'transaction',
  address_day: 'transaction',
  address_holding: 'address',
  holding_output: 'utxo',
  vertex_transaction: 'vertex',
};

/** Of the C-chain, whose blocks passed 75 million in January 2026. */
export const partitions: Readonly<Record<string, number>> = {
  internal_tx: Math.ceil(75_000_000 / Number(BLOCKS_PER_PARTITION)),
};
