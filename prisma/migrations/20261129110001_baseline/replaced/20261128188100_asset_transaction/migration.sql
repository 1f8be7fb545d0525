-- The transactions of the X-chain that consumed or emitted an output of an asset, but of AVAX, which nearly every one has.
CREATE TABLE asset_transaction (
  transaction_id bigint NOT NULL,
  asset_row_id integer NOT NULL,
  tx_type text NOT NULL,
  time numeric(20, 0) NOT NULL,
  tie bigint NOT NULL,
  PRIMARY KEY (transaction_id, asset_row_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

INSERT INTO asset_transaction
  SELECT DISTINCT t.id, u.asset_row_id, t.tx_type, t.block_timestamp, t.tie
  FROM asset a
  JOIN utxo u ON u.asset_row_id = a.id
  JOIN (
    SELECT transaction_id, utxo_row_id FROM transaction_output
    UNION ALL SELECT transaction_id, utxo_row_id FROM transaction_input) link ON link.utxo_row_id = u.id
  JOIN transaction t ON t.id = link.transaction_id AND t.chain = 'x'
  WHERE a.asset_id <> coalesce(
    (SELECT own.avax_asset_id FROM follow_network own WHERE own.network = a.network),
    CASE a.network WHEN 'mainnet' THEN 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z'
      ELSE 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK' END);

CREATE INDEX asset_transaction_time_idx ON asset_transaction (asset_row_id, time, tie, transaction_id);
CREATE INDEX asset_transaction_type_time_idx ON asset_transaction (asset_row_id, tx_type, time, tie, transaction_id);
