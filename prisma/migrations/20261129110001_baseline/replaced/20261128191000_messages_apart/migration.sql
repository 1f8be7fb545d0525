-- The stream `logs` of an EVM chain is two: `nfts` and `messages`. Both go on where it was. What it counted stays with `nfts`.
INSERT INTO follow_pipeline (network, name, first_height, next_height, first_parent, last_id, last_time, memo, head, current_at,
    state, note, counters, refused_rows, updated_at)
  SELECT network, 'messages' || substr(name, 5), first_height, next_height, first_parent, last_id, last_time, NULL, head, current_at,
    state, note, '{}', 0, updated_at
  FROM follow_pipeline WHERE name LIKE 'logs:%'
  ON CONFLICT DO NOTHING;
UPDATE follow_pipeline SET name = 'nfts' || substr(name, 5) WHERE name LIKE 'logs:%';

INSERT INTO follow_gap (network, name, height, block_id, transactions, reason, since, tries, next_try)
  SELECT network, 'messages' || substr(name, 5), height, block_id, transactions, reason, since, tries, next_try
  FROM follow_gap WHERE name LIKE 'logs:%'
  ON CONFLICT DO NOTHING;
UPDATE follow_gap SET name = 'nfts' || substr(name, 5) WHERE name LIKE 'logs:%';

-- Each start decides again what is left out.
DELETE FROM follow_left_out WHERE name LIKE 'logs:%';
