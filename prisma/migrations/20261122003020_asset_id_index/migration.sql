-- no transaction
-- In code-unit order whatever the database's collation, because the list is sorted so.
CREATE INDEX CONCURRENTLY asset_id_idx ON asset (network, asset_id COLLATE "C");
