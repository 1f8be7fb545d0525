-- no transaction
-- Which transaction ended a stake. A hash, because a row's text may be too long for another kind of index.
CREATE INDEX CONCURRENTLY transaction_staking_tx_hash_idx ON transaction USING hash ((details->>'stakingTxHash')) WHERE tx_type = 'RewardValidatorTx';
