-- no transaction
-- Internal transactions without a known position, as this version derives their order and their digest. Commits before b5da9533
-- stored as position how many equal frames came before, and as tie a digest with the names of both sides, so that a
-- frame whose names became known later was stored twice. See docs/decisions/0040-order-of-frames.md.
--
-- Of 5,000 frames at a time, under the locks of their chain's imports. What is as it should be is not written, and an
-- interrupted run is done again from the start.
DO $$
DECLARE
  chain bigint := -1;
  after bytea;
  page bytea[];
  renewed internal_tx[];
BEGIN
  LOOP
    SELECT min(evm_chain_id) INTO chain FROM internal_tx WHERE evm_chain_id > chain;
    EXIT WHEN chain IS NULL;
    after := '';
    LOOP
      COMMIT;
      -- The locks of src/write/transaction.ts.
      PERFORM pg_advisory_xact_lock_shared(1836020321, 2);
      PERFORM pg_advisory_xact_lock(1836020322, hashint8(chain));
      SELECT array_agg(DISTINCT next.tx_hash ORDER BY next.tx_hash) INTO page FROM (
        SELECT tx_hash FROM internal_tx WHERE evm_chain_id = chain AND tie <> 0 AND tx_hash > after
        ORDER BY tx_hash LIMIT 5000) next;
      EXIT WHEN page IS NULL;
      after := page[cardinality(page)];

      WITH stored AS (
        -- Alike, and equally many before them: one frame. The newest row counts, with the names that others know.
        SELECT *, min(id) OVER alike AS first_id, count(*) OVER alike AS times, row_number() OVER alike AS age,
          array_agg(from_party) OVER alike AS from_parties, array_agg(to_party) OVER alike AS to_parties
        FROM internal_tx WHERE evm_chain_id = chain AND tx_hash = ANY(page) AND tie <> 0
        WINDOW alike AS (PARTITION BY tx_hash, position, type, from_address, to_address, value, gas_used, gas_limit
          ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
      ), frame AS (
        SELECT *,
          CASE WHEN times = 1 THEN from_party ELSE (
            SELECT jsonb_object_agg(name.key, name.value ORDER BY nth)
            FROM unnest(from_parties) WITH ORDINALITY AS party(names, nth), jsonb_each(names) AS name) END AS from_names,
          CASE WHEN times = 1 THEN to_party ELSE (
            SELECT jsonb_object_agg(name.key, name.value ORDER BY nth)
            FROM unnest(to_parties) WITH ORDINALITY AS party(names, nth), jsonb_each(names) AS name) END AS to_names,
          (('x' || substr(sha256(convert_to(concat(
            '{"txHash":"0x', encode(tx_hash, 'hex'), '","position":null,"blockNumber":"', block_number,
            '","blockTimestamp":"', block_timestamp, '","blockHash":"0x', encode(block_hash, 'hex'),
            '","from":{"address":"', from_party->>'address', '"},"to":{"address":"', to_party->>'address',
            '"},"type":"', type, '","value":"', value, '","isReverted":', is_reverted::text,
            ',"gasUsed":"', gas_used, '","gasLimit":"', gas_limit, '"}'), 'UTF8'))::text, 3, 16))::bit(64)::bigint >> 5)
            & 576460752303423487 AS digest,
          row_number() OVER (PARTITION BY tx_hash ORDER BY position, first_id DESC) - 1 AS by_position,
          -- A file's first row has the lowest id, and comes first in replies.
          row_number() OVER (PARTITION BY tx_hash ORDER BY first_id DESC) - 1 AS by_age
        FROM stored WHERE age = times
      ), placed AS (
        SELECT *, CASE WHEN bool_and(by_position = position) OVER of_transaction THEN position ELSE by_age END AS place
        FROM frame WINDOW of_transaction AS (PARTITION BY tx_hash)
      ), compared AS (
        SELECT *, bool_or(times > 1 OR place <> position OR digest <> tie) OVER (PARTITION BY tx_hash) AS differs FROM placed
      )
      SELECT array_agg(ROW(first_id, evm_chain_id, tx_hash, place, digest, block_number, block_timestamp, block_hash,
        from_address, to_address, from_names, to_names, type, value, is_reverted, gas_used, gas_limit)::internal_tx)
      INTO renewed FROM compared WHERE differs;

      DELETE FROM internal_tx WHERE evm_chain_id = chain AND tie <> 0
        AND tx_hash = ANY(ARRAY(SELECT DISTINCT frame.tx_hash FROM unnest(renewed) AS frame));
      INSERT INTO internal_tx (id, evm_chain_id, tx_hash, position, tie, block_number, block_timestamp, block_hash,
        from_address, to_address, from_party, to_party, type, value, is_reverted, gas_used, gas_limit)
      SELECT id, evm_chain_id, tx_hash, position, tie, block_number, block_timestamp, block_hash,
        from_address, to_address, from_party, to_party, type, value, is_reverted, gas_used, gas_limit FROM unnest(renewed);
    END LOOP;
  END LOOP;
END $$;
