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
CREATE INDEX vertex_time_idx ON vertex (network, timestamp, vertex_hash);

-- The transactions by hash: a vertex names them whether they are held or not.
CREATE TABLE vertex_transaction (
  vertex_id bigint NOT NULL REFERENCES vertex (id),
  position integer NOT NULL,
  network network NOT NULL,
  tx_hash text NOT NULL,
  PRIMARY KEY (vertex_id, position)
);
CREATE INDEX vertex_transaction_tx_idx ON vertex_transaction (network, tx_hash, vertex_id);
