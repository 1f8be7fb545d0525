-- replaces the migrations up to 20261122070000_holdings_of_asset_index, as commit 6e47d0c2 has them, and those in replaced/
-- The database of version 0.1.0. The models of prisma/schema.prisma say what each column means.
--
-- Derived tables have no foreign keys: an import writes them in one transaction with the rows they are derived from, and
-- nothing else writes them. Checking each row again took a quarter of an import's time (12,000 outputs a second with
-- the checks, 16,000 without). For the same reason an output's asset is not checked.

-- The gateway itself.

CREATE TABLE installation (
  id uuid NOT NULL PRIMARY KEY,
  secret bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
-- At most one row, whichever processes start first together.
CREATE UNIQUE INDEX installation_single_row ON installation ((true));

CREATE TABLE api_key (
  id serial PRIMARY KEY,
  hash bytea NOT NULL,
  name text NOT NULL,
  plan text NOT NULL,
  rights text[] NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_used_at timestamptz(3)
);
CREATE UNIQUE INDEX api_key_hash_key ON api_key (hash);

-- Indexes that an import into empty tables put off, until they are created: see docs/decisions/0034-late-indexes.md.
CREATE TABLE late_index (
  name text PRIMARY KEY,
  definition text NOT NULL
);

-- Words that gateways write on the primary to find out whether a standby follows it (docs/decisions/0046-proved-replicas.md).
CREATE TABLE replica_proof (
  word uuid NOT NULL PRIMARY KEY,
  written_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- What changed when, as whoever has an earlier answer asks: docs/decisions/0087-conditional-replies.md.
-- Half of each page is left free, so that a change stays on its page and touches no index.
CREATE TABLE write_version (
  scope text NOT NULL PRIMARY KEY,
  version uuid NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- Outputs and transactions of the primary network.

CREATE TYPE network AS ENUM ('mainnet', 'fuji');
CREATE TYPE primary_chain AS ENUM ('p', 'x', 'c');
CREATE TYPE asset_type AS ENUM ('secp256k1', 'nft');
CREATE TYPE utxo_type AS ENUM ('STAKE', 'TRANSFER');
CREATE TYPE reward_type AS ENUM ('VALIDATOR', 'DELEGATOR', 'VALIDATOR_FEE');

CREATE TABLE asset (
  id serial PRIMARY KEY,
  network network NOT NULL,
  asset_id text NOT NULL,
  name text NOT NULL,
  symbol text NOT NULL,
  denomination smallint NOT NULL,
  type asset_type NOT NULL
);
CREATE UNIQUE INDEX asset_network_asset_id_key ON asset (network, asset_id);
-- In code-unit order whatever the database's collation, because the list is sorted so.
CREATE INDEX asset_id_idx ON asset (network, asset_id COLLATE "C");

CREATE TABLE address (
  id bigserial PRIMARY KEY,
  network network NOT NULL,
  address text NOT NULL
);
CREATE UNIQUE INDEX address_network_address_key ON address (network, address);
-- "Every output of the network": see the model Address.
INSERT INTO address (network, address) VALUES ('mainnet', ''), ('fuji', '');

-- An asset's amounts have up to 256 bits, which are 78 digits; the sums of a bigint of them 319, which are 97.
CREATE TABLE utxo (
  id bigserial PRIMARY KEY,
  network network NOT NULL,
  utxo_id text NOT NULL,
  tx_hash text NOT NULL,
  output_index bigint NOT NULL,
  created_on primary_chain NOT NULL,
  consumed_on primary_chain NOT NULL,
  asset_row_id integer NOT NULL,
  amount numeric(78, 0) NOT NULL,
  addresses text[] NOT NULL,
  threshold bigint,
  utxo_type utxo_type NOT NULL,
  reward_type reward_type,
  staked boolean,
  block_number numeric(20, 0),
  block_timestamp numeric(20, 0),
  consuming_tx_hash text,
  consuming_block_number numeric(20, 0),
  consuming_block_timestamp numeric(20, 0),
  platform_locktime numeric(20, 0),
  stakeable_locktime numeric(20, 0),
  utxo_start_timestamp numeric(20, 0),
  utxo_end_timestamp numeric(20, 0),
  utxo_bytes bytea,
  tie bigint NOT NULL
);
CREATE UNIQUE INDEX utxo_network_utxo_id_key ON utxo (network, utxo_id);

CREATE TABLE utxo_owner (
  utxo_row_id bigint NOT NULL,
  address_id bigint NOT NULL,
  chain primary_chain NOT NULL,
  asset_row_id integer NOT NULL,
  spent boolean NOT NULL,
  time numeric(20, 0) NOT NULL,
  amount numeric(78, 0) NOT NULL,
  tie bigint NOT NULL,
  PRIMARY KEY (utxo_row_id, address_id, chain)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
-- One index for each sort, with `spent` before it: "unspent" reads one range, "all" merges two.
CREATE INDEX utxo_owner_time_idx ON utxo_owner (address_id, chain, spent, time, tie, utxo_row_id) INCLUDE (amount);
CREATE INDEX utxo_owner_amount_idx ON utxo_owner (address_id, chain, spent, amount, tie, utxo_row_id) INCLUDE (time);
-- Assets other than AVAX exist on the X-chain only; only there does the list filter by asset.
CREATE INDEX utxo_owner_asset_time_idx ON utxo_owner (address_id, asset_row_id, spent, time, tie, utxo_row_id)
  INCLUDE (amount) WHERE chain = 'x';
CREATE INDEX utxo_owner_asset_amount_idx ON utxo_owner (address_id, asset_row_id, spent, amount, tie, utxo_row_id)
  INCLUDE (time) WHERE chain = 'x';

-- Nearly every transaction of a chain may be of one type, so that a sample of the rows shows no other. The planner then
-- reckons that a requested type is that of all rows, and looks for ten of a rare one along the index by time: 21,000 blocks
-- of 500,000 rows were read instead of 40. There are some thirty types (n_distinct).
CREATE TABLE transaction (
  id bigserial PRIMARY KEY,
  network network NOT NULL,
  chain primary_chain NOT NULL,
  tx_hash text NOT NULL,
  tx_type text NOT NULL,
  block_timestamp numeric(20, 0) NOT NULL,
  block_number numeric(20, 0),
  block_hash text,
  details jsonb NOT NULL,
  tie bigint NOT NULL
);
ALTER TABLE transaction ALTER COLUMN tx_type SET (n_distinct = 30);
CREATE UNIQUE INDEX transaction_network_chain_tx_hash_key ON transaction (network, chain, tx_hash);
CREATE INDEX transaction_time_idx ON transaction (network, chain, block_timestamp, tie, id);
CREATE INDEX transaction_type_time_idx ON transaction (network, chain, tx_type, block_timestamp, tie, id);
-- By block, and the time of a block, by which a range of blocks is one of time. X-chain transactions from before the
-- linearisation have no block. See docs/decisions/0026-transaction-filters.md, also for the next three.
CREATE INDEX transaction_block_idx ON transaction (network, chain, block_number, block_timestamp, tie, id)
  WHERE block_number IS NOT NULL;
CREATE INDEX transaction_node_idx ON transaction (network, chain, (details->>'nodeId'), tx_type, block_timestamp, tie, id)
  WHERE details->>'nodeId' IS NOT NULL;
CREATE INDEX transaction_subnet_idx ON transaction (network, chain, (details->>'subnetId'), tx_type, block_timestamp, tie, id)
  WHERE details->>'subnetId' IS NOT NULL;
CREATE INDEX transaction_node_subnet_idx
  ON transaction (network, chain, (details->>'nodeId'), (details->>'subnetId'), tx_type, block_timestamp, tie, id)
  WHERE details->>'nodeId' IS NOT NULL AND details->>'subnetId' IS NOT NULL;
-- Which transaction ended a stake, of both types that do. A hash, because a row's text may be too long for another kind of
-- index. Those who read by it have the same condition, or it is not used.
CREATE INDEX transaction_staking_tx_hash_idx ON transaction USING hash ((details->>'stakingTxHash'))
  WHERE tx_type IN ('RewardValidatorTx', 'RewardAutoRenewedValidatorTx');
-- A page of stakes or rewards reads no more than its rows, whatever else was ever staked. src/resources/reference/present.ts
-- has the conditions of these indexes.
-- Stakes by time, without the proposals that were refused.
CREATE INDEX transaction_stake_idx ON transaction (network, tx_type, block_timestamp, tie, id)
  WHERE chain = 'p' AND (details ? 'endTimestamp' OR tx_type = 'AddAutoRenewedValidatorTx');
-- Those that no transaction has ended: of all, and of a node.
CREATE INDEX transaction_open_stake_idx ON transaction (network, tx_type, block_timestamp, tie, id)
  WHERE chain = 'p' AND (details ? 'endTimestamp' AND NOT details ? 'rewardTxHash' OR tx_type = 'AddAutoRenewedValidatorTx');
CREATE INDEX transaction_open_stake_node_idx
  ON transaction (network, (details->>'nodeId'), tx_type, block_timestamp, tie, id)
  WHERE chain = 'p' AND (details ? 'endTimestamp' AND NOT details ? 'rewardTxHash' OR tx_type = 'AddAutoRenewedValidatorTx');

-- docs/decisions/0075-blocks.md
CREATE TYPE block_type AS ENUM ('proposal', 'commit', 'abort', 'standard', 'atomic');

CREATE TABLE block (
  network network NOT NULL,
  chain primary_chain NOT NULL,
  block_type block_type,
  size_bytes integer,
  tx_count integer,
  number numeric(20, 0) NOT NULL,
  timestamp numeric(20, 0) NOT NULL,
  hash text,
  parent_hash text,
  proposer_node_id text,
  PRIMARY KEY (network, chain, number)
);
-- Hashes are only looked up, also by their beginnings: a hash index holds four bytes of each key, however long it is.
CREATE INDEX block_hash_idx ON block USING hash (left(hash, 8));
CREATE INDEX block_proposer_idx ON block (network, chain, proposer_node_id, number) WHERE proposer_node_id IS NOT NULL;

CREATE TABLE transaction_output (
  transaction_id bigint NOT NULL REFERENCES transaction (id),
  position integer NOT NULL,
  utxo_row_id bigint NOT NULL REFERENCES utxo (id),
  PRIMARY KEY (transaction_id, position)
);
CREATE UNIQUE INDEX transaction_output_utxo_row_id_transaction_id_key ON transaction_output (utxo_row_id, transaction_id);

CREATE TABLE transaction_input (
  transaction_id bigint NOT NULL REFERENCES transaction (id),
  position integer NOT NULL,
  utxo_row_id bigint NOT NULL REFERENCES utxo (id),
  PRIMARY KEY (transaction_id, position)
);
CREATE UNIQUE INDEX transaction_input_utxo_row_id_transaction_id_key ON transaction_input (utxo_row_id, transaction_id);

-- Hashes are compared in code-unit order whatever the database's collation, because lists are sorted by them.
CREATE TABLE vertex (
  id bigserial PRIMARY KEY,
  network network NOT NULL,
  vertex_hash text COLLATE "C" NOT NULL,
  parent_hashes text[] NOT NULL,
  height bigint NOT NULL,
  index bigint NOT NULL,
  timestamp bigint NOT NULL,
  tx_count bigint NOT NULL,
  size_bytes bigint NOT NULL
);
CREATE UNIQUE INDEX vertex_network_vertex_hash_key ON vertex (network, vertex_hash);
CREATE INDEX vertex_time_idx ON vertex (network, timestamp, height, vertex_hash);
-- The vertices of a height, by time.
CREATE INDEX vertex_height_idx ON vertex (network, height, timestamp, vertex_hash);
CREATE INDEX vertex_parents_idx ON vertex USING gin (parent_hashes);

-- The transactions by hash: a vertex names them whether they are indexed or not.
CREATE TABLE vertex_transaction (
  vertex_id bigint NOT NULL REFERENCES vertex (id),
  position integer NOT NULL,
  network network NOT NULL,
  tx_hash text NOT NULL,
  PRIMARY KEY (vertex_id, position)
);
CREATE INDEX vertex_transaction_tx_idx ON vertex_transaction (network, tx_hash, vertex_id);

-- What is derived from outputs, for each address.

-- The balance in an asset. Summing the outputs on each request took 0.7 s for 350,000 of them.
CREATE TABLE address_balance (
  address_id bigint NOT NULL,
  chain primary_chain NOT NULL,
  asset_row_id integer NOT NULL,
  outputs bigint NOT NULL,
  unspent numeric(97, 0) NOT NULL,
  received numeric(97, 0) NOT NULL,
  created_outputs bigint NOT NULL,
  created_unspent numeric(97, 0) NOT NULL,
  created_received numeric(97, 0) NOT NULL,
  PRIMARY KEY (address_id, chain, asset_row_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, fillfactor = 80);
CREATE INDEX address_balance_holder_idx ON address_balance (asset_row_id, chain, unspent, address_id)
  WHERE unspent > 0;

-- What an address received and sent of an asset on a day.
CREATE TABLE address_day (
  address_id bigint NOT NULL,
  asset_row_id integer NOT NULL,
  day integer NOT NULL,
  received numeric(97, 0) NOT NULL,
  sent numeric(97, 0) NOT NULL,
  PRIMARY KEY (address_id, asset_row_id, day)
) WITH (autovacuum_vacuum_scale_factor = 0.02, fillfactor = 80);

-- The history: a row for each transaction that consumed or emitted an output of the address.
CREATE TABLE address_transaction (
  transaction_id bigint NOT NULL,
  address_id bigint NOT NULL,
  chain primary_chain NOT NULL,
  tx_type text NOT NULL,
  time numeric(20, 0) NOT NULL,
  tie bigint NOT NULL,
  is_open boolean,
  PRIMARY KEY (transaction_id, address_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
ALTER TABLE address_transaction ALTER COLUMN tx_type SET (n_distinct = 30);
-- A history of all chains merges a range of each.
CREATE INDEX address_transaction_time_idx ON address_transaction (address_id, chain, time, tie, transaction_id);
CREATE INDEX address_transaction_type_time_idx
  ON address_transaction (address_id, chain, tx_type, time, tie, transaction_id);
CREATE INDEX address_transaction_open_idx ON address_transaction (address_id, tx_type, time, tie, transaction_id) WHERE is_open;

-- The transactions of the X-chain that consumed or emitted an output of an asset, but of AVAX, which nearly every one has.
CREATE TABLE asset_transaction (
  transaction_id bigint NOT NULL,
  asset_row_id integer NOT NULL,
  tx_type text NOT NULL,
  time numeric(20, 0) NOT NULL,
  tie bigint NOT NULL,
  PRIMARY KEY (transaction_id, asset_row_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE INDEX asset_transaction_time_idx ON asset_transaction (asset_row_id, time, tie, transaction_id);
CREATE INDEX asset_transaction_type_time_idx ON asset_transaction (asset_row_id, tx_type, time, tie, transaction_id);

-- The transactions of the P-chain that name an address as one that is paid a reward, or that paid it one: with the node that
-- validates, and whether the stake has not ended.
CREATE TABLE reward_transaction (
  transaction_id bigint NOT NULL,
  address_id bigint NOT NULL,
  tx_type text NOT NULL,
  time numeric(20, 0) NOT NULL,
  tie bigint NOT NULL,
  validator_row_id bigint,
  is_open boolean NOT NULL DEFAULT false,
  PRIMARY KEY (transaction_id, address_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE INDEX reward_transaction_time_idx ON reward_transaction (address_id, time, tie, transaction_id);
CREATE INDEX reward_transaction_type_time_idx ON reward_transaction (address_id, tx_type, time, tie, transaction_id);
CREATE INDEX reward_transaction_node_idx
  ON reward_transaction (address_id, validator_row_id, tx_type, time, tie, transaction_id);
CREATE INDEX reward_transaction_open_idx ON reward_transaction (address_id, tx_type, time, tie, transaction_id) WHERE is_open;
CREATE INDEX reward_transaction_open_node_idx
  ON reward_transaction (address_id, validator_row_id, tx_type, time, tie, transaction_id) WHERE is_open;

-- What can be done with the unspent outputs: a sum for each asset, chain, kind, unlock time and set of owners, and the
-- outputs in it.
CREATE TYPE holding_kind AS ENUM ('plain', 'platform', 'stakeable', 'staked', 'in_flight');
CREATE TABLE address_holding (
  id bigserial PRIMARY KEY,
  address_id bigint NOT NULL,
  kind holding_kind NOT NULL,
  created_on primary_chain NOT NULL,
  consumed_on primary_chain NOT NULL,
  until numeric(20, 0) NOT NULL,
  opens numeric(20, 0) NOT NULL,
  asset_row_id integer NOT NULL,
  shared boolean NOT NULL,
  outputs bigint NOT NULL,
  amount numeric(97, 0) NOT NULL,
  owner_set bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, fillfactor = 80);
-- By kind and chain, then by unlock time: spendable outputs are found beside any number of locked ones.
CREATE UNIQUE INDEX address_holding_key
  ON address_holding (address_id, kind, created_on, until, opens, consumed_on, asset_row_id, shared, owner_set);
-- The holdings in the assets of one page of balances, whatever else the address has.
CREATE INDEX address_holding_address_id_asset_row_id_idx ON address_holding (address_id, asset_row_id);
CREATE TABLE holding_output (
  holding_id bigint NOT NULL,
  time numeric(20, 0) NOT NULL,
  tie bigint NOT NULL,
  utxo_row_id bigint NOT NULL,
  amount numeric(78, 0) NOT NULL,
  PRIMARY KEY (holding_id, time, tie, utxo_row_id) INCLUDE (amount)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE INDEX holding_output_amount_idx ON holding_output (holding_id, amount, tie, utxo_row_id) INCLUDE (time);

-- Numbers by day (docs/decisions/0079-numbers-by-day.md).

CREATE TYPE activity_scope AS ENUM ('p', 'x', 'c', 'network');

CREATE TABLE transaction_day (
  network network NOT NULL,
  day integer NOT NULL,
  chain primary_chain NOT NULL,
  tx_type text NOT NULL,
  transactions bigint NOT NULL,
  burned numeric(97, 0) NOT NULL,
  value numeric(97, 0) NOT NULL,
  PRIMARY KEY (network, day, chain, tx_type)
) WITH (fillfactor = 70);

CREATE TABLE stake_day (
  network network NOT NULL,
  day integer NOT NULL,
  validators_started bigint NOT NULL,
  validators_ended bigint NOT NULL,
  validator_weight_started numeric(97, 0) NOT NULL,
  validator_weight_ended numeric(97, 0) NOT NULL,
  delegators_started bigint NOT NULL,
  delegators_ended bigint NOT NULL,
  delegator_weight_started numeric(97, 0) NOT NULL,
  delegator_weight_ended numeric(97, 0) NOT NULL,
  PRIMARY KEY (network, day)
) WITH (fillfactor = 70);

CREATE TABLE active_address_day (
  network network NOT NULL,
  day integer NOT NULL,
  scope activity_scope NOT NULL,
  active bigint NOT NULL,
  newcomers bigint NOT NULL,
  PRIMARY KEY (network, day, scope)
) WITH (fillfactor = 70);

CREATE TABLE message_day (
  network network NOT NULL,
  day integer NOT NULL,
  chain_id integer NOT NULL,
  sent bigint NOT NULL,
  received bigint NOT NULL,
  PRIMARY KEY (network, day, chain_id)
) WITH (fillfactor = 70);
CREATE INDEX message_day_chain_idx ON message_day (chain_id, day);

-- What transactions of the P-chain name: subnets (metrics and EVM chains name them too), nodes and L1 validators, with a row
-- for each transaction that names one. Names are in code-unit order everywhere, so that page tokens stay valid where the
-- database has another collation.

CREATE TABLE subnet (
  id bigserial PRIMARY KEY,
  network network NOT NULL,
  subnet_id text COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX subnet_network_subnet_id_key ON subnet (network, subnet_id);
CREATE TABLE subnet_transaction (
  transaction_id bigint NOT NULL,
  subnet_row_id bigint NOT NULL,
  tx_type text NOT NULL,
  time numeric(20, 0) NOT NULL,
  tie bigint NOT NULL,
  PRIMARY KEY (transaction_id, subnet_row_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE INDEX subnet_transaction_time_idx ON subnet_transaction (subnet_row_id, time, tie, transaction_id);
CREATE INDEX subnet_transaction_type_time_idx ON subnet_transaction (subnet_row_id, tx_type, time, tie, transaction_id);

CREATE TABLE validator (
  id bigserial PRIMARY KEY,
  network network NOT NULL,
  node_id text COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX validator_network_node_id_key ON validator (network, node_id);
CREATE TABLE validator_transaction (
  transaction_id bigint NOT NULL,
  validator_row_id bigint NOT NULL,
  tx_type text NOT NULL,
  time numeric(20, 0) NOT NULL,
  tie bigint NOT NULL,
  delegators integer,
  delegated numeric(40, 0),
  PRIMARY KEY (transaction_id, validator_row_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE INDEX validator_transaction_time_idx ON validator_transaction (validator_row_id, time, tie, transaction_id);
CREATE INDEX validator_transaction_type_time_idx
  ON validator_transaction (validator_row_id, tx_type, time, tie, transaction_id);
-- The nodes that staking transactions name for a subnet.
CREATE TABLE subnet_validator (
  subnet_row_id bigint NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  validator_row_id bigint NOT NULL,
  PRIMARY KEY (subnet_row_id, node_id)
);

-- An L1 validator belongs to the subnet and the node that the newest of its transactions names.
CREATE TABLE l1_validator (
  id bigserial PRIMARY KEY,
  network network NOT NULL,
  validation_id text COLLATE "C" NOT NULL,
  subnet_row_id bigint,
  validator_row_id bigint
);
CREATE UNIQUE INDEX l1_validator_network_validation_id_key ON l1_validator (network, validation_id);
CREATE INDEX l1_validator_subnet_row_id_validation_id_idx ON l1_validator (subnet_row_id, validation_id);
CREATE INDEX l1_validator_validator_row_id_validation_id_idx ON l1_validator (validator_row_id, validation_id);
CREATE TABLE l1_validator_transaction (
  transaction_id bigint NOT NULL,
  l1_validator_row_id bigint NOT NULL,
  tx_type text NOT NULL,
  time numeric(20, 0) NOT NULL,
  tie bigint NOT NULL,
  PRIMARY KEY (transaction_id, l1_validator_row_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE INDEX l1_validator_transaction_time_idx
  ON l1_validator_transaction (l1_validator_row_id, time, tie, transaction_id);

CREATE TYPE subnet_series AS ENUM ('fees_paid', 'paying_validators');
CREATE TABLE subnet_metric (
  network network NOT NULL,
  subnet_id text NOT NULL,
  series subnet_series NOT NULL,
  day integer NOT NULL,
  value numeric(78, 0) NOT NULL,
  PRIMARY KEY (network, subnet_id, series, day)
);

-- EVM chains.

CREATE TABLE chain (
  id serial PRIMARY KEY,
  evm_chain_id bigint NOT NULL,
  blockchain_id text,
  status text NOT NULL,
  chain_name text NOT NULL,
  description text NOT NULL,
  platform_chain_id text,
  subnet_id text,
  vm_id text,
  vm_name text NOT NULL,
  explorer_url text,
  rpc_url text NOT NULL,
  ws_url text,
  is_testnet boolean NOT NULL,
  chain_logo_uri text,
  private boolean,
  enabled_features text[] NOT NULL,
  network_token jsonb NOT NULL
);
CREATE UNIQUE INDEX chain_evm_chain_id_key ON chain (evm_chain_id);
CREATE INDEX chain_blockchain_id_idx ON chain (blockchain_id);
CREATE INDEX chain_subnet_id_idx ON chain (subnet_id, is_testnet, evm_chain_id);

-- Imports make its partitions (src/resources/internal-tx/import-partitions.ts). The key ends with the block, because a key
-- of a partitioned table contains what it is divided by; the import sees to it that a frame is in one block.
CREATE TYPE internal_tx_type AS ENUM ('CALL', 'CALLCODE', 'CREATE', 'CREATE2', 'CREATE3');
CREATE TABLE internal_tx (
  id bigserial NOT NULL,
  evm_chain_id bigint NOT NULL,
  tx_hash bytea NOT NULL,
  position integer NOT NULL,
  tie bigint NOT NULL,
  block_number bigint NOT NULL,
  block_timestamp bigint NOT NULL,
  block_hash bytea NOT NULL,
  from_address bytea NOT NULL,
  to_address bytea NOT NULL,
  from_party jsonb NOT NULL,
  to_party jsonb NOT NULL,
  type internal_tx_type NOT NULL,
  value numeric(78, 0) NOT NULL,
  is_reverted boolean NOT NULL,
  gas_used numeric(78, 0) NOT NULL,
  gas_limit numeric(78, 0) NOT NULL,
  PRIMARY KEY (evm_chain_id, tx_hash, position, tie, block_number)
) PARTITION BY RANGE (evm_chain_id, block_number);
-- Unique by its sequence.
CREATE INDEX internal_tx_id_idx ON internal_tx (id);
-- An address's list is the merge of two ranges: what it sent, and what it received from others.
CREATE INDEX internal_tx_from_idx
  ON internal_tx (evm_chain_id, from_address, block_number, tx_hash, position, tie) INCLUDE (id);
CREATE INDEX internal_tx_to_idx
  ON internal_tx (evm_chain_id, to_address, block_number, tx_hash, position, tie) INCLUDE (id)
  WHERE to_address <> from_address;
CREATE INDEX internal_tx_block_idx ON internal_tx (evm_chain_id, block_number, tx_hash, position, tie) INCLUDE (id);

-- A chain at an end of a message, under the ids that messages give it.
CREATE TABLE icm_chain (
  id serial PRIMARY KEY,
  network network NOT NULL,
  blockchain_id text NOT NULL,
  evm_chain_id numeric(78, 0) NOT NULL
);
CREATE UNIQUE INDEX icm_chain_network_blockchain_id_evm_chain_id_key
  ON icm_chain (network, blockchain_id, evm_chain_id);
-- A search asks each chain of the list for an address's messages: without it all chains that messages name are read once for
-- each. Nor are they read whole for each page of an address's messages.
CREATE INDEX icm_chain_evm_chain_id_idx ON icm_chain (evm_chain_id);

CREATE TABLE icm_message (
  id bigserial PRIMARY KEY,
  network network NOT NULL,
  message_id bytea NOT NULL,
  source_id integer NOT NULL REFERENCES icm_chain (id),
  destination_id integer NOT NULL REFERENCES icm_chain (id),
  from_address bytea NOT NULL,
  to_address bytea NOT NULL,
  timestamp bigint NOT NULL,
  details jsonb NOT NULL,
  tie bigint NOT NULL DEFAULT 0
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE UNIQUE INDEX icm_message_network_message_id_key ON icm_message (network, message_id);
-- One index for each set of filters, so that whatever is filtered by, a page is one range of one index: any
-- fewer leave a set whose few matches lie scattered among many rows.
CREATE INDEX icm_message_time_idx ON icm_message (network, timestamp, tie, message_id, id);
CREATE INDEX icm_message_s_time_idx ON icm_message (network, source_id, timestamp, tie, message_id, id);
CREATE INDEX icm_message_d_time_idx ON icm_message (network, destination_id, timestamp, tie, message_id, id);
CREATE INDEX icm_message_f_time_idx ON icm_message (network, from_address, timestamp, tie, message_id, id);
CREATE INDEX icm_message_t_time_idx ON icm_message (network, to_address, timestamp, tie, message_id, id);
CREATE INDEX icm_message_sd_time_idx ON icm_message (network, source_id, destination_id, timestamp, tie, message_id, id);
CREATE INDEX icm_message_sf_time_idx ON icm_message (network, source_id, from_address, timestamp, tie, message_id, id);
CREATE INDEX icm_message_st_time_idx ON icm_message (network, source_id, to_address, timestamp, tie, message_id, id);
CREATE INDEX icm_message_df_time_idx ON icm_message (network, destination_id, from_address, timestamp, tie, message_id, id);
CREATE INDEX icm_message_dt_time_idx ON icm_message (network, destination_id, to_address, timestamp, tie, message_id, id);
CREATE INDEX icm_message_ft_time_idx ON icm_message (network, from_address, to_address, timestamp, tie, message_id, id);
CREATE INDEX icm_message_sdf_time_idx ON icm_message (network, source_id, destination_id, from_address, timestamp, tie, message_id, id);
CREATE INDEX icm_message_sdt_time_idx ON icm_message (network, source_id, destination_id, to_address, timestamp, tie, message_id, id);
CREATE INDEX icm_message_sft_time_idx ON icm_message (network, source_id, from_address, to_address, timestamp, tie, message_id, id);
CREATE INDEX icm_message_dft_time_idx ON icm_message (network, destination_id, from_address, to_address, timestamp, tie, message_id, id);
CREATE INDEX icm_message_sdft_time_idx ON icm_message (network, source_id, destination_id, from_address, to_address, timestamp, tie, message_id, id);
-- By status. The time is an expression, so that no other index has the order of the lists that are read from these.
CREATE INDEX icm_message_status_time_idx
  ON icm_message (network, (details->>'status'), (timestamp + 0), tie, message_id, id);
CREATE INDEX icm_message_s_status_time_idx
  ON icm_message (network, (details->>'status'), source_id, (timestamp + 0), tie, message_id, id);
CREATE INDEX icm_message_d_status_time_idx
  ON icm_message (network, (details->>'status'), destination_id, (timestamp + 0), tie, message_id, id);
CREATE INDEX icm_message_sd_status_time_idx
  ON icm_message (network, (details->>'status'), source_id, destination_id, (timestamp + 0), tie, message_id, id);
-- By status and address. The ends are expressions too: most addresses have few messages, and the planner takes any index that
-- leads to those of one for as good. See docs/decisions/0027-evm-side.md.
CREATE INDEX icm_message_f_status_time_idx
  ON icm_message (network, (details->>'status'), (from_address || ''), (timestamp + 0), tie, message_id, id);
CREATE INDEX icm_message_t_status_time_idx
  ON icm_message (network, (details->>'status'), (to_address || ''), (timestamp + 0), tie, message_id, id);
CREATE INDEX icm_message_ft_status_time_idx
  ON icm_message (network, (details->>'status'), (from_address || ''), (to_address || ''), (timestamp + 0), tie, message_id, id);
CREATE INDEX icm_message_sf_status_time_idx
  ON icm_message (network, (details->>'status'), (source_id + 0), (from_address || ''), (timestamp + 0), tie, message_id, id);
CREATE INDEX icm_message_st_status_time_idx
  ON icm_message (network, (details->>'status'), (source_id + 0), (to_address || ''), (timestamp + 0), tie, message_id, id);
CREATE INDEX icm_message_df_status_time_idx
  ON icm_message (network, (details->>'status'), (destination_id + 0), (from_address || ''), (timestamp + 0), tie, message_id, id);
CREATE INDEX icm_message_dt_status_time_idx
  ON icm_message (network, (details->>'status'), (destination_id + 0), (to_address || ''), (timestamp + 0), tie, message_id, id);
CREATE INDEX icm_message_sdf_status_time_idx
  ON icm_message (network, (details->>'status'), (source_id + 0), (destination_id + 0), (from_address || ''), (timestamp + 0), tie, message_id, id);
CREATE INDEX icm_message_sdt_status_time_idx
  ON icm_message (network, (details->>'status'), (source_id + 0), (destination_id + 0), (to_address || ''), (timestamp + 0), tie, message_id, id);
CREATE INDEX icm_message_sft_status_time_idx
  ON icm_message (network, (details->>'status'), (source_id + 0), (from_address || ''), (to_address || ''), (timestamp + 0), tie, message_id, id);
CREATE INDEX icm_message_dft_status_time_idx
  ON icm_message (network, (details->>'status'), (destination_id + 0), (from_address || ''), (to_address || ''), (timestamp + 0), tie, message_id, id);
CREATE INDEX icm_message_sdft_status_time_idx
  ON icm_message (network, (details->>'status'), (source_id + 0), (destination_id + 0), (from_address || ''), (to_address || ''), (timestamp + 0), tie, message_id, id);
CREATE INDEX icm_message_source_tx_idx ON icm_message ((details #>> '{sourceTransaction,txHash}'));
CREATE INDEX icm_message_destination_tx_idx ON icm_message ((details #>> '{destinationTransaction,txHash}'));

-- What happened to messages whose message is not stored yet.
CREATE TABLE icm_waiting (
  network network NOT NULL,
  message_id bytea NOT NULL,
  blockchain_id text NOT NULL,
  message_executed boolean NOT NULL,
  receipt_delivered boolean NOT NULL,
  reward_details jsonb,
  PRIMARY KEY (network, message_id, blockchain_id)
);

CREATE TABLE nft_token (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  evm_chain_id bigint NOT NULL,
  address bytea NOT NULL,
  token_id numeric(78, 0) NOT NULL,
  owner bytea,
  last_transfer_block numeric(20, 0),
  last_transfer_timestamp bigint,
  last_transfer_tx_hash bytea,
  metadata_status text NOT NULL DEFAULT 'none',
  standard text,
  metadata_address text,
  name text,
  description text,
  image text,
  attributes jsonb,
  raw_metadata text,
  fetched_at timestamptz(3),
  failure_reason text,
  reindex_requested_at timestamptz(3),
  job_id uuid,
  job_attempt integer NOT NULL DEFAULT 0,
  job_lease_until timestamptz(3),
  CONSTRAINT nft_token_metadata_status CHECK (metadata_status IN ('none', 'queued', 'running', 'done', 'failed')),
  CONSTRAINT nft_token_address_length CHECK (octet_length(address) = 20)
);
CREATE UNIQUE INDEX nft_token_evm_chain_id_address_token_id_key ON nft_token (evm_chain_id, address, token_id);
-- The tokens that lists show: also those without an owner that a transfer named, which are of ERC-1155 or were burned. Without it a
-- list would read past every token that somebody merely asked for.
CREATE INDEX nft_token_listed ON nft_token (evm_chain_id, address, token_id)
  WHERE owner IS NOT NULL OR fetched_at IS NOT NULL OR last_transfer_block IS NOT NULL
    OR last_transfer_timestamp IS NOT NULL OR last_transfer_tx_hash IS NOT NULL;
-- The tokens of an address, also those of one collection.
CREATE INDEX nft_token_owner_idx ON nft_token (evm_chain_id, owner, address, token_id) WHERE owner IS NOT NULL;

CREATE TYPE evm_holding_kind AS ENUM ('native', 'erc20', 'nft');

CREATE TABLE evm_address (
  id serial PRIMARY KEY,
  address bytea NOT NULL,
  checksummed text NOT NULL
);
CREATE UNIQUE INDEX evm_address_address_key ON evm_address (address);

CREATE TABLE evm_holding (
  id serial PRIMARY KEY,
  evm_chain_id bigint NOT NULL,
  kind evm_holding_kind NOT NULL,
  contract bytea NOT NULL
);
CREATE UNIQUE INDEX evm_holding_evm_chain_id_kind_contract_key ON evm_holding (evm_chain_id, kind, contract);

CREATE TABLE evm_holding_version (
  holding_id integer NOT NULL REFERENCES evm_holding (id),
  from_day integer NOT NULL,
  version uuid NOT NULL DEFAULT gen_random_uuid(),
  PRIMARY KEY (holding_id, from_day)
);

CREATE TABLE evm_balance (
  holding_id integer NOT NULL,
  address_id integer NOT NULL,
  day integer NOT NULL,
  until_day integer NOT NULL,
  previous numeric(78, 0) NOT NULL,
  balance numeric(78, 0) NOT NULL,
  PRIMARY KEY (holding_id, address_id, day)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
-- "Held on a day": a row that is still the last one is found by its balance alone; of the others those that
-- ended before the day are passed over, however long the history. With the address, so that the owners of a collection with
-- equally many NFTs have an order.
CREATE INDEX evm_balance_holder_idx ON evm_balance (holding_id, until_day, balance, address_id) INCLUDE (day);
-- "Fell below" and "rose to" between two days: each change is in one of the two, found by the larger amount.
CREATE INDEX evm_balance_fall_idx ON evm_balance (holding_id, day, previous) INCLUDE (balance, address_id)
  WHERE balance < previous;
CREATE INDEX evm_balance_rise_idx ON evm_balance (holding_id, day, balance) INCLUDE (previous, address_id)
  WHERE balance > previous;
-- What an address has now, whatever else others have: a row for each coin and token of which it has anything.
CREATE INDEX evm_balance_address_idx ON evm_balance (address_id, holding_id)
  WHERE until_day = 2147483647 AND balance > 0;

-- Searches by names and by the beginnings of ids (docs/decisions/0078-search-by-names.md). Each index is a name from its first,
-- second or third word on, with equal capitals, cut to 64 characters, in the order of code units: a name of any length fits, and
-- a beginning is one range of it. src/resources/search/name-list.ts has the same expressions.

CREATE INDEX chain_name_idx ON chain
  (is_testnet, left(lower(chain_name), 64) COLLATE "C", evm_chain_id);
CREATE INDEX chain_name_2_idx ON chain
  (is_testnet, left(lower(substring(chain_name from '^\W*\w+\W+(\w.*)$')), 64) COLLATE "C", evm_chain_id)
  WHERE left(lower(substring(chain_name from '^\W*\w+\W+(\w.*)$')), 64) IS NOT NULL;
CREATE INDEX chain_name_3_idx ON chain
  (is_testnet, left(lower(substring(chain_name from '^\W*(?:\w+\W+){2}(\w.*)$')), 64) COLLATE "C", evm_chain_id)
  WHERE left(lower(substring(chain_name from '^\W*(?:\w+\W+){2}(\w.*)$')), 64) IS NOT NULL;

CREATE INDEX asset_name_idx ON asset (network, left(lower(name), 64) COLLATE "C", asset_id COLLATE "C");
CREATE INDEX asset_name_2_idx ON asset
  (network, left(lower(substring(name from '^\W*\w+\W+(\w.*)$')), 64) COLLATE "C", asset_id COLLATE "C")
  WHERE left(lower(substring(name from '^\W*\w+\W+(\w.*)$')), 64) IS NOT NULL;
CREATE INDEX asset_name_3_idx ON asset
  (network, left(lower(substring(name from '^\W*(?:\w+\W+){2}(\w.*)$')), 64) COLLATE "C", asset_id COLLATE "C")
  WHERE left(lower(substring(name from '^\W*(?:\w+\W+){2}(\w.*)$')), 64) IS NOT NULL;
CREATE INDEX asset_symbol_idx ON asset (network, left(lower(symbol), 64) COLLATE "C", asset_id COLLATE "C");

CREATE INDEX transaction_chain_name_idx ON transaction
  (network, left(lower(details #>> '{blockchainInfo,chainName}'), 64) COLLATE "C", tx_hash COLLATE "C")
  WHERE tx_type = 'CreateChainTx';
CREATE INDEX transaction_chain_name_2_idx ON transaction
  (network, left(lower(substring(details #>> '{blockchainInfo,chainName}' from '^\W*\w+\W+(\w.*)$')), 64) COLLATE "C",
    tx_hash COLLATE "C")
  WHERE tx_type = 'CreateChainTx'
    AND left(lower(substring(details #>> '{blockchainInfo,chainName}' from '^\W*\w+\W+(\w.*)$')), 64) IS NOT NULL;
CREATE INDEX transaction_chain_name_3_idx ON transaction
  (network, left(lower(substring(details #>> '{blockchainInfo,chainName}' from '^\W*(?:\w+\W+){2}(\w.*)$')), 64) COLLATE "C",
    tx_hash COLLATE "C")
  WHERE tx_type = 'CreateChainTx'
    AND left(lower(substring(details #>> '{blockchainInfo,chainName}' from '^\W*(?:\w+\W+){2}(\w.*)$')), 64) IS NOT NULL;

CREATE INDEX nft_token_name_idx ON nft_token (left(lower(name), 64) COLLATE "C", evm_chain_id, address, token_id)
  WHERE name IS NOT NULL;

-- What was written first, in the order of the commits, for streams and hooks.
CREATE TYPE feed_kind AS ENUM ('transaction', 'utxo', 'spent_utxo', 'block', 'icm_message', 'internal_tx', 'chain_status');

CREATE TABLE feed (
  id bigserial PRIMARY KEY,
  written_at timestamptz(3) NOT NULL,
  kind feed_kind NOT NULL,
  network network,
  chain primary_chain,
  evm_chain_id bigint,
  is_backfill boolean NOT NULL,
  keys text NOT NULL,
  total bigint NOT NULL
);
-- Hashes do not become smaller.
ALTER TABLE feed ALTER COLUMN keys SET STORAGE EXTERNAL;

-- Where events are sent by HTTP, which, and those that were not sent yet.
CREATE TABLE webhook (
  id bigserial PRIMARY KEY,
  public_id uuid NOT NULL UNIQUE,
  key_id integer NOT NULL REFERENCES api_key (id),
  event_type text NOT NULL,
  network network NOT NULL,
  chain primary_chain NOT NULL,
  url text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  metadata jsonb NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  is_paused boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  position bigint,
  missed_at timestamptz(3),
  queued integer NOT NULL DEFAULT 0,
  queued_bytes bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  job_id uuid
);
CREATE INDEX webhook_key_id_id_idx ON webhook (key_id, id);
CREATE INDEX webhook_position_idx ON webhook (position);
CREATE INDEX webhook_fee_threshold_idx ON webhook (network) WHERE metadata ->> 'l1ValidatorFeeBalanceThreshold' IS NOT NULL;

CREATE TABLE webhook_subject (
  id bigserial PRIMARY KEY,
  webhook_id bigint NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
  subject text NOT NULL,
  UNIQUE (webhook_id, subject)
);
CREATE INDEX webhook_subject_subject_idx ON webhook_subject (subject);

CREATE TABLE webhook_level (
  webhook_id bigint NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
  subject text NOT NULL,
  is_above boolean NOT NULL,
  PRIMARY KEY (webhook_id, subject)
);

CREATE TABLE webhook_event (
  id bigserial PRIMARY KEY,
  webhook_id bigint NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
  body text NOT NULL,
  made_at timestamptz(3) NOT NULL DEFAULT now(),
  set_aside_at timestamptz(3),
  reason text
);
CREATE INDEX webhook_event_webhook_id_set_aside_at_id_idx ON webhook_event (webhook_id, set_aside_at, id);

CREATE TABLE webhook_secret (
  key_id integer PRIMARY KEY REFERENCES api_key (id),
  sealed bytea NOT NULL,
  made_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE webhook_position (
  id integer PRIMARY KEY,
  entry bigint NOT NULL,
  step bigint NOT NULL DEFAULT 0,
  holder uuid,
  held_until timestamptz(3)
);

-- The follower of nodes: see src/follow.

CREATE TABLE follow_network (
  network network PRIMARY KEY,
  network_id bigint NOT NULL,
  genesis text NOT NULL,
  x_chain_id text NOT NULL,
  c_chain_id text NOT NULL,
  avax_asset_id text NOT NULL,
  c_evm_chain_id bigint NOT NULL,
  hrp text NOT NULL,
  importing text
);

CREATE TYPE follow_state AS ENUM ('following', 'waiting', 'stopped', 'idle');
CREATE TABLE follow_pipeline (
  network network NOT NULL,
  name text NOT NULL,
  first_height bigint NOT NULL,
  next_height bigint NOT NULL,
  last_id text,
  last_time bigint,
  memo jsonb,
  head bigint,
  current_at timestamptz(3),
  state follow_state NOT NULL,
  note text,
  counters jsonb NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  first_parent text,
  refused_rows bigint NOT NULL DEFAULT 0,
  past_goal bigint,
  past_blocks_per_hour bigint,
  PRIMARY KEY (network, name)
);

-- The past of a stream of an EVM chain is read in ranges, several at once.
CREATE TABLE follow_range (
  network network NOT NULL,
  name text NOT NULL,
  first_height bigint NOT NULL,
  next_height bigint NOT NULL,
  end_height bigint NOT NULL,
  first_parent text,
  last_id text,
  last_time bigint,
  memo jsonb,
  counters jsonb NOT NULL,
  refused_rows bigint NOT NULL DEFAULT 0,
  note text,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (network, name, first_height)
);

-- Followers that wait for a node which they have not met.
CREATE TABLE follow_waiting (
  nodes text PRIMARY KEY,
  network network,
  is_l1 boolean NOT NULL,
  note text NOT NULL,
  since timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL
);

CREATE TABLE follow_endpoint (
  name text PRIMARY KEY,
  state text NOT NULL,
  reason text,
  since timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

CREATE TABLE follow_request (
  network network NOT NULL,
  method text NOT NULL,
  outcome text NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (network, method, outcome)
);

-- Transactions of which every node refuses what a stream needs.
CREATE TABLE follow_gap (
  network network NOT NULL,
  name text NOT NULL,
  height bigint NOT NULL,
  block_id text NOT NULL,
  transactions text[] NOT NULL,
  reason text NOT NULL,
  since timestamptz(3) NOT NULL DEFAULT now(),
  tries integer NOT NULL DEFAULT 0,
  next_try timestamptz(3) NOT NULL,
  PRIMARY KEY (network, name, height)
);
-- The gap that is asked for next: without it all gaps of a pipeline are sorted for each one.
CREATE INDEX follow_gap_next_idx ON follow_gap (network, name, next_try, height);

-- The P-chain's state of stakers and L1 validators.

CREATE TABLE follow_staking (
  network network NOT NULL PRIMARY KEY,
  chain_time bigint NOT NULL,
  knows_stakers boolean NOT NULL,
  knows_l1_validators boolean NOT NULL,
  excess numeric(20, 0) NOT NULL,
  accrued numeric(20, 0) NOT NULL,
  price numeric(20, 0) NOT NULL,
  difference text,
  different_since bigint,
  checked_height bigint,
  checked_at timestamptz(3),
  doubt text,
  doubted_since bigint,
  withheld_since bigint,
  doubted_rewards jsonb NOT NULL DEFAULT '[]',
  is_left_out boolean NOT NULL DEFAULT false
);

CREATE TABLE follow_staker (
  network network NOT NULL,
  tx_id text NOT NULL,
  tx_type text NOT NULL,
  subnet_id text NOT NULL,
  node_id text NOT NULL,
  priority smallint NOT NULL,
  start_time bigint NOT NULL,
  end_time bigint NOT NULL,
  weight numeric(20, 0) NOT NULL,
  potential_reward numeric(20, 0) NOT NULL,
  delegatee_reward numeric(20, 0) NOT NULL,
  shares integer NOT NULL,
  fee_owner jsonb,
  renewal jsonb,
  id bigserial NOT NULL,
  delegated_weight numeric(20, 0) NOT NULL DEFAULT 0,
  delegators integer NOT NULL DEFAULT 0,
  uptime numeric(7, 4),
  delegated_reward numeric(20, 0) NOT NULL DEFAULT 0,
  PRIMARY KEY (network, tx_id)
);
-- A validator is found without its delegations, of which it may have thousands.
CREATE INDEX follow_staker_node_idx ON follow_staker (network, node_id, subnet_id, priority);
CREATE INDEX follow_staker_subnet_idx ON follow_staker (network, subnet_id, priority);
CREATE UNIQUE INDEX follow_staker_id_key ON follow_staker (id);
-- One for each order of a subnet's validators; the columns that filters read are included, so that a page reads no row
-- that it does not return.
CREATE INDEX follow_staker_weight_idx ON follow_staker
  (network, subnet_id, (weight + delegated_weight), node_id COLLATE "C")
  INCLUDE (priority, end_time, shares, weight, delegated_weight, id)
  WHERE priority IN (2, 4, 6, 7, 9, 11);
CREATE INDEX follow_staker_end_idx ON follow_staker (network, subnet_id, end_time, node_id COLLATE "C")
  INCLUDE (priority, shares, weight, delegated_weight, id)
  WHERE priority IN (2, 4, 6, 7, 9, 11);
CREATE INDEX follow_staker_fee_idx ON follow_staker (network, subnet_id, shares, node_id COLLATE "C")
  INCLUDE (priority, end_time, weight, delegated_weight, id)
  WHERE priority IN (2, 4, 6, 7, 9, 11);
-- The delegations to a validator.
CREATE INDEX follow_staker_delegation_idx ON follow_staker
  (network, subnet_id, node_id, weight, tx_id COLLATE "C")
  WHERE priority IN (1, 3, 5, 8, 10);
-- When the oldest stake of now began: no transaction from before it is looked at for rewards that are not paid yet.
CREATE INDEX follow_staker_start_idx ON follow_staker (network, start_time);
-- Those that wait for their start: none since Durango. Priorities: src/avalanche/chain/staker-order.ts.
CREATE INDEX follow_staker_waiting_idx ON follow_staker (network, tx_id) WHERE priority < 7;

-- Sums over the stakers of a subnet.
CREATE TABLE follow_stake_total (
  network network NOT NULL,
  subnet_id text NOT NULL,
  validators integer NOT NULL,
  waiting integer NOT NULL,
  delegators integer NOT NULL,
  weight numeric(20, 0) NOT NULL,
  delegated_weight numeric(20, 0) NOT NULL,
  potential_reward numeric(20, 0) NOT NULL,
  PRIMARY KEY (network, subnet_id)
);

CREATE TABLE follow_supply (
  network network NOT NULL,
  subnet_id text NOT NULL,
  supply numeric(20, 0) NOT NULL,
  rates jsonb,
  PRIMARY KEY (network, subnet_id)
);

CREATE TABLE follow_l1_validator (
  network network NOT NULL,
  validation_id text NOT NULL,
  subnet_id text NOT NULL,
  node_id text NOT NULL,
  weight numeric(20, 0) NOT NULL,
  end_fee numeric(20, 0) NOT NULL,
  owner jsonb NOT NULL,
  active_since bigint,
  paid_day integer,
  since_fee numeric(20, 0),
  PRIMARY KEY (network, validation_id)
);
CREATE INDEX follow_l1_validator_subnet_idx ON follow_l1_validator (network, subnet_id);
CREATE INDEX follow_l1_validator_node_idx ON follow_l1_validator (network, node_id);
-- One for each order of the L1 validators that are not removed, of a network and of a subnet.
CREATE INDEX follow_l1_validator_balance_idx ON follow_l1_validator (network, end_fee, validation_id COLLATE "C")
  INCLUDE (weight, node_id) WHERE weight > 0;
CREATE INDEX follow_l1_validator_weight_idx ON follow_l1_validator (network, weight, validation_id COLLATE "C")
  INCLUDE (end_fee, node_id) WHERE weight > 0;
CREATE INDEX follow_l1_validator_subnet_balance_idx ON follow_l1_validator
  (network, subnet_id, end_fee, validation_id COLLATE "C") INCLUDE (weight, node_id) WHERE weight > 0;
CREATE INDEX follow_l1_validator_subnet_weight_idx ON follow_l1_validator
  (network, subnet_id, weight, validation_id COLLATE "C") INCLUDE (end_fee, node_id) WHERE weight > 0;

CREATE TABLE follow_subnet_fee (
  network network NOT NULL,
  subnet_id text NOT NULL,
  day integer NOT NULL,
  fees numeric(78, 0) NOT NULL,
  payers integer NOT NULL,
  PRIMARY KEY (network, subnet_id)
);

-- What each L1 validator has paid: from which sum of fees of one validator to which, and that sum by day.
CREATE TABLE follow_paid_fee (
  network network NOT NULL,
  validation_id text NOT NULL,
  since_fee numeric(20, 0) NOT NULL,
  until_fee numeric(20, 0) NOT NULL,
  PRIMARY KEY (network, validation_id, since_fee)
);

CREATE TABLE follow_fee_day (
  network network NOT NULL,
  day integer NOT NULL,
  accrued numeric(20, 0) NOT NULL,
  PRIMARY KEY (network, day)
);

-- Tokens whose balances are followed, and how many of each id of ERC-1155 somebody has.

CREATE TABLE follow_token (
  evm_chain_id bigint NOT NULL,
  contract bytea NOT NULL,
  since bigint NOT NULL,
  created bigint,
  made bigint,
  PRIMARY KEY (evm_chain_id, contract)
);

CREATE TABLE follow_token_id (
  evm_chain_id bigint NOT NULL,
  contract bytea NOT NULL,
  owner bytea NOT NULL,
  token_id numeric(78, 0) NOT NULL,
  day integer NOT NULL,
  balance numeric(78, 0) NOT NULL,
  PRIMARY KEY (evm_chain_id, contract, owner, token_id, day)
);
CREATE INDEX follow_token_id_day_idx ON follow_token_id (evm_chain_id, contract, owner, day);

CREATE TABLE follow_token_count (
  evm_chain_id bigint NOT NULL,
  contract bytea NOT NULL,
  owner bytea NOT NULL,
  day integer NOT NULL,
  count numeric NOT NULL,
  PRIMARY KEY (evm_chain_id, contract, owner, day)
);

-- Streams that are not followed, because no node offers what they need: see src/follow/status/left-out.ts.
CREATE TABLE follow_left_out (
  network network NOT NULL,
  name text NOT NULL,
  note text NOT NULL,
  PRIMARY KEY (network, name)
);
