-- What an address has now, whatever else others have: a row for each coin and token of which it has anything.
CREATE INDEX evm_balance_address_idx ON evm_balance (address_id, holding_id)
  WHERE until_day = 2147483647 AND balance > 0;
