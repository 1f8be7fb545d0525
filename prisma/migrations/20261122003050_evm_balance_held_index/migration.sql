-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS evm_balance_held_idx;
