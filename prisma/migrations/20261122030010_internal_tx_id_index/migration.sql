-- no transaction
CREATE INDEX CONCURRENTLY internal_tx_first_id_idx ON internal_tx (id);
