-- What the follower of nodes knows: see src/follow.

CREATE TABLE follow_network (
  network network PRIMARY KEY,
  network_id bigint NOT NULL,
  genesis text NOT NULL,
  x_chain_id text NOT NULL,
  c_chain_id text NOT NULL,
  avax_asset_id text NOT NULL,
  c_evm_chain_id bigint NOT NULL,
  hrp text NOT NULL
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
  PRIMARY KEY (network, name)
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

CREATE TABLE follow_l1_validator (
  network network NOT NULL,
  validation_id text NOT NULL,
  subnet_id text NOT NULL,
  node_id text NOT NULL,
  weight numeric(20,0) NOT NULL,
  end_fee numeric(20,0) NOT NULL,
  owner jsonb NOT NULL,
  PRIMARY KEY (network, validation_id)
);
