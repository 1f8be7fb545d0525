-- Tokens whose balances are followed, and how many of each id of ERC-1155 somebody has: see src/follow/evm/token-ids.ts.

CREATE TABLE follow_token (
  evm_chain_id bigint NOT NULL,
  contract bytea NOT NULL,
  since bigint NOT NULL,
  created bigint,
  PRIMARY KEY (evm_chain_id, contract)
);

CREATE TABLE follow_token_id (
  evm_chain_id bigint NOT NULL,
  contract bytea NOT NULL,
  owner bytea NOT NULL,
  token_id numeric(78,0) NOT NULL,
  day integer NOT NULL,
  balance numeric(78,0) NOT NULL,
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
