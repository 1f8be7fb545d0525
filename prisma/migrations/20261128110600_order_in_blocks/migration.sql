-- Transactions of one second were listed by their hashes. Now their sort key has the number of the block, and what is known
-- of the position in it: see src/avalanche/sort-key.ts. No row says its position yet, so that it keeps bits of the hash. Rows
-- without a block keep their sort keys. See docs/decisions/0077-order-in-blocks.md.
--
-- What a change of a sort key writes into indexes costs several times what making them costs: they are made again.
CREATE TEMPORARY TABLE remade_index ON COMMIT DROP AS
SELECT indexname AS name, replace(indexdef, ' message_id, id)', ' tie, message_id, id)') AS definition FROM pg_indexes
WHERE schemaname = current_schema() AND (
  tablename IN ('transaction', 'address_transaction', 'subnet_transaction', 'validator_transaction', 'l1_validator_transaction')
    AND indexdef LIKE '% tie, %'
  OR tablename = 'icm_message' AND indexdef LIKE '% message_id, id)');
DO $$
DECLARE dropped text;
BEGIN
  FOR dropped IN SELECT name FROM remade_index LOOP
    EXECUTE format('DROP INDEX %I', dropped);
  END LOOP;
END $$;

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
DECLARE made text;
BEGIN
  FOR made IN SELECT definition FROM remade_index LOOP
    EXECUTE made;
  END LOOP;
END $$;

DROP INDEX vertex_time_idx;
CREATE INDEX vertex_time_idx ON vertex (network, timestamp, height, vertex_hash);
