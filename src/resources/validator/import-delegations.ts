import { sqlTexts, typesWhere } from '../../avalanche/chain/transactions.js';

/*
 * How many delegations an ended stake of a validator had is stored with the transaction that ended it: a page
 * that counted them would cost as much as was ever delegated.
 */

const validates = sqlTexts(typesWhere('stake', 'validates'));
const delegates = sqlTexts(typesWhere('stake', 'delegates'));

/**
 * SQL of an aggregate over the delegations `d` of the validator's stake that `transaction t` ended. They came
 * after it and before its end. OFFSET 0: the planner would else find other ways while the tables are empty.
 */
const ofStake = (
  aggregate: string,
) => `CASE WHEN t.tx_type IN (${sqlTexts(typesWhere('stake', 'ends'))}) THEN (
  SELECT ${aggregate} FROM (
    SELECT s.network, s.details->>'nodeId' AS node, s.details->>'subnetId' AS subnet, s.block_timestamp,
      coalesce((s.details->>'startTimestamp')::numeric, s.block_timestamp) AS since,
      coalesce((s.details->>'endTimestamp')::numeric, 0) AS until
    FROM transaction s
    WHERE s.network = t.network AND s.chain = 'p' AND s.tx_hash = t.details->>'stakingTxHash'
      AND s.tx_type IN (${validates}) OFFSET 0) s
  CROSS JOIN LATERAL (
    SELECT d.details FROM transaction d
    WHERE d.network = s.network AND d.chain = 'p' AND d.details->>'nodeId' = s.node AND d.details->>'subnetId' = s.subnet
      AND d.tx_type IN (${delegates}) AND d.block_timestamp BETWEEN s.block_timestamp AND s.until
      AND (d.details->>'startTimestamp')::numeric >= s.since AND (d.details->>'endTimestamp')::numeric <= s.until
    OFFSET 0) d) END`;

/** Columns of validator_transaction; NULL for none. */
export const ofEndedStake = {
  delegators: ofStake('nullif(count(*), 0)::int'),
  delegated: ofStake("sum((d.details #>> '{amountStaked,0,amount}')::numeric)"),
};

/**
 * SELECT of the stakes of validators to which transactions $1 delegate, and to which they did before they
 * were rewritten: of each type the newest one of the node by then.
 */
export const stakesOfDelegations = `
  SELECT stake.network, stake.tx_hash FROM (
    SELECT t.network, t.details->>'nodeId' AS node, t.details->>'subnetId' AS subnet, t.block_timestamp AS time
    FROM transaction t WHERE t.id = ANY($1::bigint[]) AND t.tx_type IN (${delegates})
    UNION
    SELECT v.network, v.node_id COLLATE "default", n.subnet_id COLLATE "default", l.time
    FROM validator_transaction l JOIN validator v ON v.id = l.validator_row_id
    JOIN subnet_transaction k ON k.transaction_id = l.transaction_id JOIN subnet n ON n.id = k.subnet_row_id
    WHERE l.transaction_id = ANY($1::bigint[]) AND l.tx_type IN (${delegates})) d
  CROSS JOIN LATERAL (
    SELECT s.* FROM unnest(ARRAY[${validates}]) AS kind(tx_type) CROSS JOIN LATERAL (
      SELECT s.network, s.tx_hash, (s.details->>'endTimestamp')::numeric AS until FROM transaction s
      WHERE s.network = d.network AND s.chain = 'p' AND s.details->>'nodeId' = d.node AND s.details->>'subnetId' = d.subnet
        AND s.tx_type = kind.tx_type AND s.block_timestamp <= d.time
      ORDER BY s.block_timestamp DESC, s.tie DESC, s.id DESC LIMIT 1) s
    WHERE s.until >= d.time) stake`;
