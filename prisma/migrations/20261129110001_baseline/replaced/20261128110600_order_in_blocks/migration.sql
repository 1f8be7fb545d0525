-- Transactions of one second were listed by their hashes. Now their sort key has the number of the block, and what is known
-- of the position in it: see src/avalanche/sort-key.ts. No row says its position yet, so that it keeps bits of the hash. Rows
-- without a block keep their sort keys. See docs/decisions/0077-order-in-blocks.md.
--
-- What a change of a sort key writes into indexes costs several times what making them costs: the next migration makes them. Those that an import put off are not there.
DROP INDEX IF EXISTS transaction_time_idx, transaction_type_time_idx, transaction_block_idx,
  transaction_node_idx, transaction_subnet_idx, transaction_node_subnet_idx,
  address_transaction_time_idx, address_transaction_type_time_idx, subnet_transaction_time_idx,
  subnet_transaction_type_time_idx, validator_transaction_time_idx, validator_transaction_type_time_idx,
  l1_validator_transaction_time_idx;

UPDATE transaction
SET tie = 4611686018427387904 + (least(block_number, 4294967295)::bigint << 30) + 536870912 + (tie >> 30)
WHERE block_number IS NOT NULL;
UPDATE address_transaction l SET tie = t.tie FROM transaction t WHERE t.id = l.transaction_id AND l.tie <> t.tie;
UPDATE subnet_transaction l SET tie = t.tie FROM transaction t WHERE t.id = l.transaction_id AND l.tie <> t.tie;
UPDATE validator_transaction l SET tie = t.tie FROM transaction t WHERE t.id = l.transaction_id AND l.tie <> t.tie;
UPDATE l1_validator_transaction l SET tie = t.tie FROM transaction t WHERE t.id = l.transaction_id AND l.tie <> t.tie;

-- Where the source logged a message: not known of any yet.
ALTER TABLE icm_message ADD COLUMN tie bigint NOT NULL DEFAULT 0;
DO $$
DECLARE former record;
BEGIN
  FOR former IN SELECT indexname, indexdef FROM pg_indexes
    WHERE schemaname = current_schema() AND tablename = 'icm_message' AND indexdef LIKE '% message_id, id)'
  LOOP
    EXECUTE format('DROP INDEX %I', former.indexname);
    EXECUTE replace(former.indexdef, ' message_id, id)', ' tie, message_id, id)');
  END LOOP;
END $$;

DROP INDEX vertex_time_idx;
CREATE INDEX vertex_time_idx ON vertex (network, timestamp, height, vertex_hash);
