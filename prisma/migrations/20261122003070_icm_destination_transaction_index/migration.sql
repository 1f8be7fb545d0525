-- no transaction
CREATE INDEX CONCURRENTLY icm_message_destination_tx_idx ON icm_message ((details #>> '{destinationTransaction,txHash}'));
