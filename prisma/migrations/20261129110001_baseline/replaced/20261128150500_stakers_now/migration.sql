-- Lists of present stakers: a row id for their page tokens, and of each validator what its delegators add.
ALTER TABLE follow_staker
  ADD COLUMN id bigserial NOT NULL,
  ADD COLUMN delegated_weight numeric(20, 0) NOT NULL DEFAULT 0,
  ADD COLUMN delegators integer NOT NULL DEFAULT 0;
-- Priorities: src/avalanche/chain/staker-order.ts.
UPDATE follow_staker v SET delegated_weight = d.weight, delegators = d.count
FROM (
  SELECT network, subnet_id, node_id, sum(weight) AS weight, count(*) AS count
  FROM follow_staker WHERE priority IN (8, 10) GROUP BY network, subnet_id, node_id) d
WHERE v.network = d.network AND v.subnet_id = d.subnet_id AND v.node_id = d.node_id AND v.priority IN (7, 9, 11);

-- A validator is found without its delegations, of which it may have thousands.
DROP INDEX follow_staker_node_idx;
CREATE INDEX follow_staker_node_idx ON follow_staker (network, node_id, subnet_id, priority);

CREATE UNIQUE INDEX follow_staker_id_key ON follow_staker (id);
-- One for each order of a subnet's validators; the columns that filters read are included, so that a page reads no row
-- that it does not return.
CREATE INDEX follow_staker_weight_idx ON follow_staker
  (network, subnet_id, (weight + delegated_weight), node_id COLLATE "C")
  INCLUDE (priority, end_time, shares, weight, delegated_weight, id)
  WHERE priority IN (2, 4, 6, 7, 9, 11);
CREATE INDEX follow_staker_end_idx ON follow_staker (network, subnet_id, end_time, node_id COLLATE "C")
  INCLUDE (priority, shares, weight, delegated_weight, id)
  WHERE priority IN (2, 4, 6, 7, 9, 11);
CREATE INDEX follow_staker_fee_idx ON follow_staker (network, subnet_id, shares, node_id COLLATE "C")
  INCLUDE (priority, end_time, weight, delegated_weight, id)
  WHERE priority IN (2, 4, 6, 7, 9, 11);
-- The delegations to a validator.
CREATE INDEX follow_staker_delegation_idx ON follow_staker
  (network, subnet_id, node_id, weight, tx_id COLLATE "C")
  WHERE priority IN (1, 3, 5, 8, 10);

-- The same for L1 validators that are not removed, of a network and of a subnet.
CREATE INDEX follow_l1_validator_balance_idx ON follow_l1_validator (network, end_fee, validation_id COLLATE "C")
  INCLUDE (weight, node_id) WHERE weight > 0;
CREATE INDEX follow_l1_validator_weight_idx ON follow_l1_validator (network, weight, validation_id COLLATE "C")
  INCLUDE (end_fee, node_id) WHERE weight > 0;
CREATE INDEX follow_l1_validator_subnet_balance_idx ON follow_l1_validator
  (network, subnet_id, end_fee, validation_id COLLATE "C") INCLUDE (weight, node_id) WHERE weight > 0;
CREATE INDEX follow_l1_validator_subnet_weight_idx ON follow_l1_validator
  (network, subnet_id, weight, validation_id COLLATE "C") INCLUDE (end_fee, node_id) WHERE weight > 0;
