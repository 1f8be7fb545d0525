-- An NFT counts as 1 in sums of its asset: see src/resources/utxo/amount.ts. Its outputs have the amount 0, which
-- counted as nothing. Reads the outputs once, and writes the sums of those few that are NFTs.

-- The locks of src/write/transaction.ts, of both networks: a write between these statements would be counted twice, or not at all.
SELECT pg_advisory_xact_lock(1836020321, 0), pg_advisory_xact_lock(1836020321, 1);

CREATE TEMPORARY TABLE nft_output ON COMMIT DROP AS
  SELECT u.id, u.created_on,
    least(floor(coalesce(u.block_timestamp, 0) / 86400), 2147483647)::integer AS created_day,
    least(floor(coalesce(u.consuming_block_timestamp, 0) / 86400), 2147483647)::integer AS spent_day
  FROM utxo u WHERE u.amount = 0 AND substr(u.utxo_bytes, 71, 4) = '\x0000000b';

CREATE TEMPORARY TABLE nft_owned ON COMMIT DROP AS
  SELECT n.*, o.address_id, o.chain, o.asset_row_id, o.spent
  FROM nft_output n JOIN utxo_owner o ON o.utxo_row_id = n.id JOIN address a ON a.id = o.address_id AND a.address <> '';

UPDATE address_balance b
SET unspent = b.unspent + more.unspent, received = b.received + more.received,
  created_unspent = b.created_unspent + more.created_unspent,
  created_received = b.created_received + more.created_received
FROM (
  SELECT address_id, chain, asset_row_id, count(*) FILTER (WHERE NOT spent) AS unspent, count(*) AS received,
    count(*) FILTER (WHERE NOT spent AND chain = created_on) AS created_unspent,
    count(*) FILTER (WHERE chain = created_on) AS created_received
  FROM nft_owned GROUP BY 1, 2, 3) more
WHERE b.address_id = more.address_id AND b.chain = more.chain AND b.asset_row_id = more.asset_row_id;

UPDATE address_holding h SET amount = h.amount + more.amount
FROM (
  SELECT m.holding_id, count(*) AS amount FROM holding_output m WHERE m.utxo_row_id IN (SELECT id FROM nft_output)
  GROUP BY 1) more
WHERE h.id = more.holding_id;

-- On each day once for each owner, however many chains list the output.
INSERT INTO address_day AS d (address_id, asset_row_id, day, received, sent)
SELECT address_id, asset_row_id, day, sum(received), sum(sent)
FROM (
  SELECT address_id, asset_row_id, created_day AS day, 1 AS received, 0 AS sent FROM nft_owned WHERE chain = created_on
  UNION ALL
  SELECT address_id, asset_row_id, greatest(created_day, spent_day), 0, 1 FROM nft_owned WHERE chain = created_on AND spent) move
GROUP BY 1, 2, 3
ON CONFLICT (address_id, asset_row_id, day)
DO UPDATE SET received = d.received + excluded.received, sent = d.sent + excluded.sent;
