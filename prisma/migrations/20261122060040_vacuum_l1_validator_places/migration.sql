-- no transaction
-- Every row was written anew.
VACUUM (ANALYZE) l1_validator;
