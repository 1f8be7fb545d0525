-- The locks under which imports write (src/ingest/batch.ts), in their order: imports wait until the places of what is
-- stored are there. Nothing else waits, as only rows are locked.
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = '60s';
SELECT pg_advisory_xact_lock(1836020321, 0);
SELECT pg_advisory_xact_lock(1836020321, 1);

UPDATE l1_validator held SET subnet_row_id = now.subnet_row_id, validator_row_id = now.validator_row_id
FROM (
  SELECT last.id, s.id AS subnet_row_id, v.id AS validator_row_id
  FROM (
    SELECT e.id, e.network, said.change FROM l1_validator e
    CROSS JOIN LATERAL (
      SELECT l.transaction_id FROM l1_validator_transaction l WHERE l.l1_validator_row_id = e.id
      ORDER BY l.time DESC, l.tie DESC, l.transaction_id DESC LIMIT 1) newest
    JOIN transaction t ON t.id = newest.transaction_id
    CROSS JOIN LATERAL (
      SELECT item.value AS change
      FROM jsonb_array_elements(t.details->'l1ValidatorDetails') WITH ORDINALITY AS item(value, place)
      WHERE item.value->>'validationId' = e.validation_id ORDER BY item.place DESC LIMIT 1) said OFFSET 0) last
  LEFT JOIN subnet s ON s.network = last.network AND s.subnet_id = last.change->>'subnetId'
  LEFT JOIN validator v ON v.network = last.network AND v.node_id = last.change->>'nodeId') now
WHERE held.id = now.id;
