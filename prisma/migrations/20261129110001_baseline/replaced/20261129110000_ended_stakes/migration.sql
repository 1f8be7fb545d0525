-- A page of stakes reads no more than its rows, however many delegations a stake had and an address has ended. NULL takes no room.

-- Of a transaction that ended the stake of a validator: the delegations that this had. src/resources/validator/import-delegations.ts
ALTER TABLE validator_transaction ADD COLUMN delegators integer, ADD COLUMN delegated numeric(40, 0);
UPDATE validator_transaction l SET delegators = had.delegators, delegated = had.delegated
FROM transaction r
JOIN transaction t ON t.network = r.network AND t.chain = 'p' AND t.tx_hash = r.details->>'stakingTxHash'
CROSS JOIN LATERAL (
  SELECT count(*) AS delegators, sum((d.details #>> '{amountStaked,0,amount}')::numeric) AS delegated
  FROM transaction d
  WHERE d.network = t.network AND d.chain = 'p' AND d.details->>'nodeId' = t.details->>'nodeId'
    AND d.details->>'subnetId' = t.details->>'subnetId' AND d.tx_type IN ('AddDelegatorTx', 'AddPermissionlessDelegatorTx')
    AND d.block_timestamp BETWEEN t.block_timestamp AND coalesce((t.details->>'endTimestamp')::numeric, 0)
    AND (d.details->>'startTimestamp')::numeric >= coalesce((t.details->>'startTimestamp')::numeric, t.block_timestamp)
    AND (d.details->>'endTimestamp')::numeric <= coalesce((t.details->>'endTimestamp')::numeric, 0)) had
WHERE r.id = l.transaction_id AND r.chain = 'p'
  AND r.tx_type IN ('RewardValidatorTx', 'RewardAutoRenewedValidatorTx')
  AND t.tx_type IN ('AddValidatorTx', 'AddPermissionlessValidatorTx', 'AddAutoRenewedValidatorTx')
  AND had.delegators > 0;

-- Of a transaction that began a stake which has not ended: true. src/resources/reference/present.ts
ALTER TABLE address_transaction ADD COLUMN is_open boolean;
UPDATE address_transaction h SET is_open = true
FROM transaction t
WHERE t.id = h.transaction_id AND t.chain = 'p'
  AND (t.details ? 'endTimestamp' AND NOT t.details ? 'rewardTxHash' OR t.tx_type = 'AddAutoRenewedValidatorTx');
CREATE INDEX address_transaction_open_idx ON address_transaction (address_id, tx_type, time, tie, transaction_id) WHERE is_open;
