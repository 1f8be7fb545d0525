-- no transaction
-- What an address can do with the assets of one page of its balances, whatever else it holds.
CREATE INDEX CONCURRENTLY address_holding_address_id_asset_row_id_idx ON address_holding (address_id, asset_row_id);
