-- An output's asset is written, or found, by the import that writes the output, in one transaction, and nothing deletes
-- any. Checking each of them again took a ninth of PostgreSQL's time of an import (see docs/decisions/0002-owner-index.md).

-- The locks under which imports write (src/ingest/batch.ts), in their order: imports use assets before outputs, readers
-- after them, and this must wait for neither while it holds what the other one needs.
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = '60s';
SELECT pg_advisory_xact_lock(1836020321, 0);
SELECT pg_advisory_xact_lock(1836020321, 1);

-- Both tables are locked for a change of the catalog; readers wait no longer than this waits for those before them.
SET LOCAL lock_timeout = '5s';
ALTER TABLE utxo DROP CONSTRAINT utxo_asset_row_id_fkey;
