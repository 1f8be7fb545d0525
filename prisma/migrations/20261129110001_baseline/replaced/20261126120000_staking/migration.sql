-- The P-chain's state of stakers and L1 validators: see src/follow/staking.

CREATE TABLE follow_staking (
  network network NOT NULL PRIMARY KEY,
  chain_time bigint NOT NULL,
  knows_stakers boolean NOT NULL,
  knows_l1_validators boolean NOT NULL,
  excess numeric(20,0) NOT NULL,
  accrued numeric(20,0) NOT NULL,
  price numeric(20,0) NOT NULL,
  difference text,
  different_since bigint,
  checked_height bigint,
  checked_at timestamptz(3)
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
  weight numeric(20,0) NOT NULL,
  potential_reward numeric(20,0) NOT NULL,
  delegatee_reward numeric(20,0) NOT NULL,
  shares integer NOT NULL,
  fee_owner jsonb,
  renewal jsonb,
  PRIMARY KEY (network, tx_id)
);

CREATE INDEX follow_staker_node_idx ON follow_staker (network, node_id);
CREATE INDEX follow_staker_subnet_idx ON follow_staker (network, subnet_id, priority);

CREATE TABLE follow_supply (
  network network NOT NULL,
  subnet_id text NOT NULL,
  supply numeric(20,0) NOT NULL,
  rates jsonb,
  PRIMARY KEY (network, subnet_id)
);

CREATE TABLE follow_subnet_fee (
  network network NOT NULL,
  subnet_id text NOT NULL,
  day integer NOT NULL,
  fees numeric(78,0) NOT NULL,
  payers integer NOT NULL,
  PRIMARY KEY (network, subnet_id)
);

ALTER TABLE follow_l1_validator ADD COLUMN active_since bigint, ADD COLUMN paid_day integer;
CREATE INDEX follow_l1_validator_subnet_idx ON follow_l1_validator (network, subnet_id);
