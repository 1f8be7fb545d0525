-- Which transaction ended a stake, of both types that do: see src/resources/validator/write.ts, whose condition must be this one, or
-- the index is not used. The new index is made first, while the old one serves readers.

CREATE INDEX transaction_staking_tx_hash_new_idx ON transaction USING hash ((details->>'stakingTxHash'))
  WHERE tx_type IN ('RewardValidatorTx', 'RewardAutoRenewedValidatorTx');
DROP INDEX transaction_staking_tx_hash_idx;
ALTER INDEX transaction_staking_tx_hash_new_idx RENAME TO transaction_staking_tx_hash_idx;
