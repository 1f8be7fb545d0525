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
-- ended before the day are passed over, however long the history.
CREATE INDEX evm_balance_held_idx ON evm_balance (holding_id, until_day, balance) INCLUDE (day, address_id);
-- "Fell below" and "rose to" between two days: each change is in one of the two, found by the larger amount.
CREATE INDEX evm_balance_fall_idx ON evm_balance (holding_id, day, previous) INCLUDE (balance, address_id)
  WHERE balance < previous;
CREATE INDEX evm_balance_rise_idx ON evm_balance (holding_id, day, balance) INCLUDE (previous, address_id)
  WHERE balance > previous;
