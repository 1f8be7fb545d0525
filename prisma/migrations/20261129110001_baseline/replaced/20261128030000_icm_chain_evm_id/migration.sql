-- The chains of messages by their EVM id: a search asks each chain of the list for an address's messages, and without
-- this index it reads all chains that messages name once for each. Nor is it read whole for each page of an
-- address's messages.

CREATE INDEX icm_chain_evm_chain_id_idx ON icm_chain (evm_chain_id);
