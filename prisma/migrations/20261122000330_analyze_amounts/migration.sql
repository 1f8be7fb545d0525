-- no transaction
-- A change of its type takes a column's statistics away. Readers and writers go on meanwhile.
ANALYZE utxo (amount), utxo_owner (amount), address_balance (unspent, received, created_unspent, created_received);
