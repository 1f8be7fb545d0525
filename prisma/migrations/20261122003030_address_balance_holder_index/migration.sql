-- no transaction
CREATE INDEX CONCURRENTLY address_balance_holder_idx ON address_balance (asset_row_id, chain, unspent, address_id)
  WHERE unspent > 0;
