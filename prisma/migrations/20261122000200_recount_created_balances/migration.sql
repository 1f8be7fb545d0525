-- Outputs of one owner that swapped chains in one batch left created_unspent and created_received of their balances as
-- they were. What is wrong is found first, which reads every owner row and locks nothing; then the few rows are counted
-- again while no import writes. Readers are never waited for and never wait.
SET LOCAL statement_timeout = 0;
SET LOCAL work_mem = '64MB';

CREATE TEMPORARY TABLE wrong_balance ON COMMIT DROP AS
SELECT b.address_id, b.chain, b.asset_row_id
FROM address_balance b
JOIN (
  SELECT o.address_id, o.chain, o.asset_row_id,
    coalesce(sum(o.amount) FILTER (WHERE o.chain = u.created_on AND NOT o.spent), 0) AS created_unspent,
    coalesce(sum(o.amount) FILTER (WHERE o.chain = u.created_on), 0) AS created_received
  FROM utxo_owner o JOIN utxo u ON u.id = o.utxo_row_id
  -- The empty address owns every output and has no balance.
  WHERE o.address_id NOT IN (SELECT id FROM address WHERE address = '')
  GROUP BY o.address_id, o.chain, o.asset_row_id
) counted USING (address_id, chain, asset_row_id)
WHERE (b.created_unspent, b.created_received)
  IS DISTINCT FROM (counted.created_unspent, counted.created_received);

-- Only writers wait behind this lock, so that waiting for the batch of an import to end disturbs nobody.
SET LOCAL lock_timeout = '60s';
LOCK TABLE address_balance IN SHARE ROW EXCLUSIVE MODE;

UPDATE address_balance b
SET created_unspent = counted.created_unspent, created_received = counted.created_received
FROM wrong_balance wrong CROSS JOIN LATERAL (
  SELECT coalesce(sum(o.amount) FILTER (WHERE NOT o.spent), 0) AS created_unspent,
    coalesce(sum(o.amount), 0) AS created_received
  FROM utxo_owner o JOIN utxo u ON u.id = o.utxo_row_id AND u.created_on = wrong.chain
  WHERE o.address_id = wrong.address_id AND o.chain = wrong.chain AND o.asset_row_id = wrong.asset_row_id
) counted
WHERE b.address_id = wrong.address_id AND b.chain = wrong.chain AND b.asset_row_id = wrong.asset_row_id
  AND (b.created_unspent, b.created_received) IS DISTINCT FROM (counted.created_unspent, counted.created_received);
