-- Owner rows are derived: the import writes them in one transaction with their outputs and addresses, and nothing else
-- writes any of these. Checking each of them again took a quarter of an import's time (12,000 outputs a second with
-- the checks, 16,000 without).
ALTER TABLE utxo_owner DROP CONSTRAINT utxo_owner_utxo_row_id_fkey, DROP CONSTRAINT utxo_owner_address_id_fkey;
