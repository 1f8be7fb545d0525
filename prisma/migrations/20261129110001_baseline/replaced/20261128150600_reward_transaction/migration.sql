-- The transactions of the P-chain that name an address as one that is paid a reward, or that paid it one.
CREATE TABLE reward_transaction (
  transaction_id bigint NOT NULL,
  address_id bigint NOT NULL,
  tx_type text NOT NULL,
  time numeric(20, 0) NOT NULL,
  tie bigint NOT NULL,
  PRIMARY KEY (transaction_id, address_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

WITH named AS MATERIALIZED (
  SELECT DISTINCT t.id AS transaction_id, t.network, n.address, t.tx_type, t.block_timestamp AS time, t.tie
  FROM transaction t CROSS JOIN LATERAL (
    SELECT jsonb_array_elements_text(t.details->'rewardAddresses') AS address
    UNION
    SELECT unnest(u.addresses) FROM transaction_output o JOIN utxo u ON u.id = o.utxo_row_id
    WHERE t.tx_type IN ('RewardValidatorTx', 'RewardAutoRenewedValidatorTx') AND o.transaction_id = t.id
      AND u.reward_type IS NOT NULL) n
  WHERE t.chain = 'p' AND n.address ~ '^[a-z]{1,20}1[02-9ac-hj-np-z]{38}$'
), added AS (
  INSERT INTO address (network, address) SELECT DISTINCT network, address FROM named ON CONFLICT DO NOTHING
  RETURNING id, network, address
)
INSERT INTO reward_transaction
  SELECT n.transaction_id, a.id, n.tx_type, n.time, n.tie FROM named n
  JOIN (SELECT id, network, address FROM address UNION ALL SELECT * FROM added) a
    ON a.network = n.network AND a.address = n.address;

CREATE INDEX reward_transaction_time_idx ON reward_transaction (address_id, time, tie, transaction_id);
CREATE INDEX reward_transaction_type_time_idx ON reward_transaction (address_id, tx_type, time, tie, transaction_id);
