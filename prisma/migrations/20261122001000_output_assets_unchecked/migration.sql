-- An output's asset is written, or found, by the import that writes the output, in one transaction, and nothing deletes
-- any. Checking each of them again took a ninth of PostgreSQL's time of an import (see docs/decisions/0002-owner-index.md).
-- Both tables are locked for a change of the catalog.
ALTER TABLE utxo DROP CONSTRAINT utxo_asset_row_id_fkey;
