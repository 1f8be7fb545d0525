-- no transaction
-- Takes the place of evm_balance_held_idx: the same columns, with the address among those that it is sorted by, so that the
-- owners of a collection with as many NFTs each have an order.
CREATE INDEX CONCURRENTLY evm_balance_holder_idx ON evm_balance (holding_id, until_day, balance, address_id) INCLUDE (day);
