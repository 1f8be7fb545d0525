-- no transaction
CREATE INDEX CONCURRENTLY l1_validator_subnet_row_id_validation_id_idx ON l1_validator (subnet_row_id, validation_id);
