-- What the table holds lies between its first chain and the next multiple of 4,000,000 blocks of its last one: that is
-- where later partitions begin (src/resources/internal-tx/import-partitions.ts). NOT VALID looks at no row that is held.
DO $$
DECLARE
  first_chain bigint;
  last_chain bigint;
  beyond bigint;
BEGIN
  SELECT min(evm_chain_id), max(evm_chain_id) INTO first_chain, last_chain FROM internal_tx;
  IF first_chain IS NOT NULL THEN
    SELECT least((max(block_number) / 4000000 + 1)::numeric * 4000000, 9223372036854775807)::bigint INTO beyond
      FROM internal_tx WHERE evm_chain_id = last_chain;
    EXECUTE format(
      'ALTER TABLE internal_tx ADD CONSTRAINT internal_tx_first_range CHECK (
         evm_chain_id >= %1$s AND (evm_chain_id < %2$s OR (evm_chain_id = %2$s AND block_number < %3$s))) NOT VALID',
      first_chain, last_chain, beyond);
  END IF;
END $$;
