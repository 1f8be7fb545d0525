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

CREATE TABLE address (
  id bigserial PRIMARY KEY,
  network network NOT NULL,
  address text NOT NULL
);
CREATE UNIQUE INDEX address_network_address_key ON address (network, address);
-- "Every output of the network": see the model Address.
INSERT INTO address (network, address) VALUES ('mainnet', ''), ('fuji', '');

CREATE TABLE utxo (
  id bigserial PRIMARY KEY,
  network network NOT NULL,
  utxo_id text NOT NULL,
  tx_hash text NOT NULL,
  output_index bigint NOT NULL,
  created_on primary_chain NOT NULL,
  consumed_on primary_chain NOT NULL,
  asset_row_id integer NOT NULL REFERENCES asset (id),
  amount numeric(20, 0) NOT NULL,
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
  utxo_row_id bigint NOT NULL REFERENCES utxo (id),
  address_id bigint NOT NULL REFERENCES address (id),
  chain primary_chain NOT NULL,
  asset_row_id integer NOT NULL,
  spent boolean NOT NULL,
  time numeric(20, 0) NOT NULL,
  amount numeric(20, 0) NOT NULL,
  tie bigint NOT NULL,
  PRIMARY KEY (utxo_row_id, address_id, chain)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
-- One index for each sort, with `spent` before it: "unspent" reads one range, "all" merges two.
CREATE INDEX utxo_owner_time_idx ON utxo_owner (address_id, chain, spent, time, tie, utxo_row_id) INCLUDE (amount);
CREATE INDEX utxo_owner_amount_idx ON utxo_owner (address_id, chain, spent, amount, tie, utxo_row_id) INCLUDE (time);
-- Assets other than AVAX exist on the X-chain alone; only there does the list filter by asset.
CREATE INDEX utxo_owner_asset_time_idx ON utxo_owner (address_id, asset_row_id, spent, time, tie, utxo_row_id)
  INCLUDE (amount) WHERE chain = 'x';
CREATE INDEX utxo_owner_asset_amount_idx ON utxo_owner (address_id, asset_row_id, spent, amount, tie, utxo_row_id)
  INCLUDE (time) WHERE chain = 'x';

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
CREATE UNIQUE INDEX transaction_network_chain_tx_hash_key ON transaction (network, chain, tx_hash);
CREATE INDEX transaction_time_idx ON transaction (network, chain, block_timestamp, tie, id);
CREATE INDEX transaction_type_time_idx ON transaction (network, chain, tx_type, block_timestamp, tie, id);

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
