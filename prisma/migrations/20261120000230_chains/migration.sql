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
