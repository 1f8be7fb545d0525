-- The table becomes the first partition of one of its name. Nothing is rewritten and no row is read, for the validated
-- CHECK says what the partition's bounds say; all that takes time was done before. Later partitions are made by imports.
ALTER TABLE internal_tx RENAME TO internal_tx_first;
ALTER TABLE internal_tx_first DROP CONSTRAINT internal_tx_pkey;
DROP INDEX internal_tx_evm_chain_id_tx_hash_position_tie_key;
ALTER TABLE internal_tx_first ADD PRIMARY KEY USING INDEX internal_tx_first_pkey;
ALTER INDEX internal_tx_from_idx RENAME TO internal_tx_first_from_idx;
ALTER INDEX internal_tx_to_idx RENAME TO internal_tx_first_to_idx;
ALTER INDEX internal_tx_block_idx RENAME TO internal_tx_first_block_idx;

CREATE TABLE internal_tx (
  LIKE internal_tx_first INCLUDING DEFAULTS,
  -- With the block, as a key of a partitioned table has what it is divided by: the import sees to it that a frame is in
  -- one block.
  PRIMARY KEY (evm_chain_id, tx_hash, position, tie, block_number)
) PARTITION BY RANGE (evm_chain_id, block_number);
ALTER SEQUENCE internal_tx_id_seq OWNED BY internal_tx.id;
-- Unique by its sequence.
CREATE INDEX internal_tx_id_idx ON internal_tx (id);
CREATE INDEX internal_tx_from_idx
  ON internal_tx (evm_chain_id, from_address, block_number, tx_hash, position, tie) INCLUDE (id);
CREATE INDEX internal_tx_to_idx
  ON internal_tx (evm_chain_id, to_address, block_number, tx_hash, position, tie) INCLUDE (id)
  WHERE to_address <> from_address;
CREATE INDEX internal_tx_block_idx
  ON internal_tx (evm_chain_id, block_number, tx_hash, position, tie) INCLUDE (id);

DO $$
DECLARE
  first_chain bigint;
  last_chain bigint;
  beyond bigint;
BEGIN
  SELECT min(evm_chain_id), max(evm_chain_id) INTO first_chain, last_chain FROM internal_tx_first;
  IF first_chain IS NULL THEN
    DROP TABLE internal_tx_first;
  ELSE
    SELECT least((max(block_number) / 4000000 + 1)::numeric * 4000000, 9223372036854775807)::bigint INTO beyond
      FROM internal_tx_first WHERE evm_chain_id = last_chain;
    EXECUTE format(
      'ALTER TABLE internal_tx ATTACH PARTITION internal_tx_first
         FOR VALUES FROM (%1$s, MINVALUE) TO (%2$s, %3$s)',
      first_chain, last_chain, beyond);
    ALTER TABLE internal_tx_first DROP CONSTRAINT IF EXISTS internal_tx_first_range;
  END IF;
END $$;
