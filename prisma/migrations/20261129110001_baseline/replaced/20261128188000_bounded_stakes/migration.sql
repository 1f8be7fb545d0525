-- A page of stakes or rewards reads no more than its rows, whatever else was ever staked. src/resources/reference/present.ts
-- has the conditions of these indexes.

-- Stakes by time, without the proposals that were refused.
CREATE INDEX transaction_stake_idx ON transaction (network, tx_type, block_timestamp, tie, id)
  WHERE chain = 'p' AND (details ? 'endTimestamp' OR tx_type = 'AddAutoRenewedValidatorTx');
-- Those that no transaction has ended: of all, and of a node.
CREATE INDEX transaction_open_stake_idx ON transaction (network, tx_type, block_timestamp, tie, id)
  WHERE chain = 'p' AND (details ? 'endTimestamp' AND NOT details ? 'rewardTxHash' OR tx_type = 'AddAutoRenewedValidatorTx');
CREATE INDEX transaction_open_stake_node_idx
  ON transaction (network, (details->>'nodeId'), tx_type, block_timestamp, tie, id)
  WHERE chain = 'p' AND (details ? 'endTimestamp' AND NOT details ? 'rewardTxHash' OR tx_type = 'AddAutoRenewedValidatorTx');
-- Those that wait for their start: none since Durango. Priorities: src/avalanche/chain/staker-order.ts.
CREATE INDEX follow_staker_waiting_idx ON follow_staker (network, tx_id) WHERE priority < 7;

-- Of who is paid: the node that validates, and whether the stake has not ended.
ALTER TABLE reward_transaction
  ADD COLUMN validator_row_id bigint,
  ADD COLUMN is_open boolean NOT NULL DEFAULT false;
UPDATE reward_transaction l SET validator_row_id = v.id, is_open = known.is_open
FROM (
  SELECT t.id, t.network, coalesce(t.details->>'nodeId', s.details->>'nodeId') AS node,
    t.details ? 'endTimestamp' AND NOT t.details ? 'rewardTxHash' OR t.tx_type = 'AddAutoRenewedValidatorTx' AS is_open
  FROM transaction t
  LEFT JOIN transaction s ON s.network = t.network AND s.chain = 'p' AND s.tx_hash = t.details->>'stakingTxHash'
  WHERE t.chain = 'p') known
LEFT JOIN validator v ON v.network = known.network AND v.node_id = known.node
WHERE known.id = l.transaction_id;
CREATE INDEX reward_transaction_node_idx
  ON reward_transaction (address_id, validator_row_id, tx_type, time, tie, transaction_id);
CREATE INDEX reward_transaction_open_idx ON reward_transaction (address_id, tx_type, time, tie, transaction_id) WHERE is_open;
CREATE INDEX reward_transaction_open_node_idx
  ON reward_transaction (address_id, validator_row_id, tx_type, time, tie, transaction_id) WHERE is_open;

-- What a validator gets of the rewards of its present delegators. A share is rounded as nodes do it: src/avalanche/chain/reward.ts.
ALTER TABLE follow_staker ADD COLUMN delegated_reward numeric(20, 0) NOT NULL DEFAULT 0;
UPDATE follow_staker v SET delegated_reward = coalesce((
  SELECT sum(d.potential_reward - CASE WHEN (1000000 - v.shares) * d.potential_reward <= 18446744073709551615
    THEN div((1000000 - v.shares) * d.potential_reward, 1000000) ELSE (1000000 - v.shares) * div(d.potential_reward, 1000000) END)
  FROM follow_staker d
  WHERE d.network = v.network AND d.subnet_id = v.subnet_id AND d.node_id = v.node_id AND d.priority IN (8, 10)), 0)
WHERE v.priority IN (7, 9, 11) AND v.delegators > 0;

-- Sums over the stakers of a subnet.
CREATE TABLE follow_stake_total (
  network network NOT NULL,
  subnet_id text NOT NULL,
  validators integer NOT NULL,
  waiting integer NOT NULL,
  delegators integer NOT NULL,
  weight numeric(20, 0) NOT NULL,
  delegated_weight numeric(20, 0) NOT NULL,
  potential_reward numeric(20, 0) NOT NULL,
  PRIMARY KEY (network, subnet_id)
);
INSERT INTO follow_stake_total
  SELECT network, subnet_id, count(*) FILTER (WHERE priority IN (7, 9, 11)), count(*) FILTER (WHERE priority IN (2, 4, 6)),
    sum(delegators), coalesce(sum(weight + delegated_weight) FILTER (WHERE priority IN (7, 9, 11)), 0), sum(delegated_weight),
    sum(potential_reward)
  FROM follow_staker GROUP BY network, subnet_id;
