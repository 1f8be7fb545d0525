-- no transaction
CREATE INDEX CONCURRENTLY icm_message_source_tx_idx ON icm_message ((details #>> '{sourceTransaction,txHash}'));
