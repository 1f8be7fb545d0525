-- An asset's amounts have up to 256 bits, and the sums of a bigint of them 319, which is 97 digits. More digits of the
-- same scale rewrite neither rows nor indexes, but for partial indexes, which PostgreSQL would build again under the
-- lock: these two go first and come back afterwards, without one. Until then lists of an asset read more rows than they
-- show. Each table is locked against readers and writers, in the order in which imports write them, for the time of a
-- change of the catalog.
ALTER TABLE utxo ALTER COLUMN amount TYPE numeric(78, 0);
DROP INDEX utxo_owner_asset_time_idx, utxo_owner_asset_amount_idx;
ALTER TABLE utxo_owner ALTER COLUMN amount TYPE numeric(78, 0);
ALTER TABLE address_balance
  ALTER COLUMN unspent TYPE numeric(97, 0),
  ALTER COLUMN received TYPE numeric(97, 0),
  ALTER COLUMN created_unspent TYPE numeric(97, 0),
  ALTER COLUMN created_received TYPE numeric(97, 0);
