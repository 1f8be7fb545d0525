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
