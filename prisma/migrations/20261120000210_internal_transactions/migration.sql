CREATE TYPE internal_tx_type AS ENUM ('CALL', 'CALLCODE', 'CREATE', 'CREATE2', 'CREATE3');

CREATE TABLE internal_tx (
  id bigserial PRIMARY KEY,
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
  gas_limit numeric(78, 0) NOT NULL
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE UNIQUE INDEX internal_tx_evm_chain_id_tx_hash_position_tie_key
  ON internal_tx (evm_chain_id, tx_hash, position, tie);
-- An address's list is the merge of two ranges: what it sent, and what it received from others.
CREATE INDEX internal_tx_from_idx
  ON internal_tx (evm_chain_id, from_address, block_number, tx_hash, position, tie) INCLUDE (id);
CREATE INDEX internal_tx_to_idx
  ON internal_tx (evm_chain_id, to_address, block_number, tx_hash, position, tie) INCLUDE (id)
  WHERE to_address <> from_address;
