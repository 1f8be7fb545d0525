import { sqlTexts, typesWhere } from '../../avalanche/chain/transactions.js';
import { MOST_STAKE, MOST_WEIGHT_FACTOR } from '../../avalanche/chain/stake-limits.js';
import { presentPriorities } from '../../avalanche/chain/staker-order.js';
import { ZERO_ID } from '../../avalanche/codec/ids.js';
import { delegatorsPart } from '../../state/delegations.js';
import { stakerTable, stakeTotalTable } from '../../state/staking.js';
import { isStaking, withTransaction } from '../reference/present.js';

/*
 * SQL of a stake: the transaction `t` that began it, and the staker `f` that it is now, if it has not ended.
 */

export const staker = stakerTable.as('f');
const total = stakeTotalTable.as('total');

/** The rows of both. */
export const stakeFrom = `transaction t LEFT JOIN ${staker.from}
  ON ${staker.network} = t.network AND ${staker.txId} = t.tx_hash COLLATE "default"`;

/** The rows of stakes that have not ended, and the condition for validators. */
export const presentFrom = `${staker.from} ${withTransaction}`;
export const isPresentValidator = `${staker.priority} IN (${presentPriorities.validators.join(', ')})`;

const detail = (name: string) => `t.details->>'${name}'`;
export const node = `(${detail('nodeId')})`;
export const subnet = `coalesce(${detail('subnetId')}, '${ZERO_ID}')`;

/** SQL of whether it has not ended. */
export const isPresent = `${staker.txId} IS NOT NULL`;
export const isActive = `(${isPresent} AND ${isStaking})`;

/** SQL of how much of its period the followed node has seen it online, percent; NULL where unknown. */
export const uptime = `${staker.uptime}::float8`;
/** The same as REST has it: the clients require a number. */
export const uptimeOrNone = `coalesce(${uptime}, 0)`;

const start = `coalesce(${staker.startTime}, (${detail('startTimestamp')})::numeric)`;
const end = `coalesce(${staker.endTime}, (${detail('endTimestamp')})::numeric)`;
export const startTime = `coalesce(${start}, t.block_timestamp)`;
export const endTime = `coalesce(${end}, 0)`;

/** SQL of something of the transaction that removed a validator from a permissioned subnet. */
export const removal = (
  what: string,
) => `CASE WHEN t.tx_type = 'AddSubnetValidatorTx' AND NOT ${isPresent} THEN (
  SELECT ${what} FROM transaction r WHERE r.network = t.network AND r.chain = 'p'
    AND r.details->>'nodeId' = ${detail('nodeId')} AND r.details->>'subnetId' = ${detail('subnetId')}
    AND r.tx_type = 'RemoveSubnetValidatorTx' AND r.block_timestamp >= t.block_timestamp AND r.block_timestamp < ${endTime}
  ORDER BY r.block_timestamp, r.tie, r.id LIMIT 1) END`;

/** SQL of what became of it. */
export const status = `CASE WHEN ${isPresent} THEN CASE WHEN ${isStaking} THEN 'active' ELSE 'pending' END
  WHEN ${removal('true')} THEN 'removed' ELSE 'completed' END`;
export const isCompleted = `(${status}) = 'completed'`;

/** SQL of the amount that was staked; in a permissioned subnet the weight. */
export const amount = `coalesce(${staker.weight}::text, t.details #>> '{amountStaked,0,amount}', '0')`;

/** SQL of the share that a validator keeps, percent; NULL in a permissioned subnet. */
export const feePercent = `(${detail('delegationFeePercent')})`;

/** SQL of a share as a number; imports accept any text. */
export const feeNumber = `CASE WHEN ${feePercent} ~ '^[0-9]{1,3}([.][0-9]{1,9})?$' THEN ${feePercent}::numeric END`;

export const capacity = `CASE WHEN ${isActive} AND ${subnet} = '${ZERO_ID}' THEN
  greatest(0, least(${MOST_WEIGHT_FACTOR} * ${staker.weight}, ${MOST_STAKE}) - ${staker.weight} - ${staker.delegatedWeight}) END`;

/** SQL of what the transaction that ended it says of the delegations that it had. */
const had = (column: 'delegators' | 'delegated') => `coalesce((
  SELECT l.${column} FROM transaction r JOIN validator_transaction l ON l.transaction_id = r.id
  WHERE r.network = t.network AND r.chain = 'p' AND r.tx_hash = ${detail('rewardTxHash')} LIMIT 1), 0)`;

export const delegatorCount = `coalesce(${staker.delegators}, ${had('delegators')})`;
export const delegated = `CASE WHEN t.tx_type <> 'AddSubnetValidatorTx' THEN coalesce(${staker.delegatedWeight}, ${had('delegated')})::text END`;

/** SQL of the part of all that stakes in the subnet, percent. */
export const percentage = `round(100 * ${staker.weight} / (
  SELECT nullif(${total.weight}, 0) FROM ${total.from}
  WHERE ${total.network} = ${staker.network} AND ${total.subnetId} = ${staker.subnetId}), 6)::float8`;

/** SQL of what a validator has earned with its delegators, and gets of those of now. */
export const delegateeReward = `(${staker.delegateeReward} + ${staker.delegatedReward})::text`;

/** SQL of what the end of the stake paid as a reward of a type. */
export const paid = (type: string) => `(
  SELECT coalesce(sum(u.amount), 0) FROM transaction r
  JOIN transaction_output o ON o.transaction_id = r.id JOIN utxo u ON u.id = o.utxo_row_id
  WHERE r.network = t.network AND r.chain = 'p' AND r.tx_hash = ${detail('rewardTxHash')} AND u.reward_type = '${type}')::text`;

/**
 * SQL of whether the end of the stake was decided in its favour: the block after the proposal commits it.
 * Not known of blocks that are not stored.
 */
const isCommitted = `coalesce((
  SELECT next.block_type = 'commit' FROM block next WHERE next.network = t.network AND next.chain = 'p' AND next.number = (
    SELECT r.block_number + 1 FROM transaction r
    WHERE r.network = t.network AND r.chain = 'p' AND r.tx_hash = ${detail('rewardTxHash')})), false)`;
/** SQL of whether the stake of a delegator was rewarded, even if its validator kept all of it. */
export const isRewarded = `(${paid('DELEGATOR')} <> '0' OR ${isCommitted})`;

/**
 * SQL of the share of the validator to which it delegates, percent: of its newest stake by then. Of each type
 * the newest one is looked up.
 */
export const feeOfValidator = `coalesce((
  SELECT newest.fee FROM unnest(ARRAY[${sqlTexts(typesWhere('stake', 'validates'))}]) AS kind(tx_type) CROSS JOIN LATERAL (
    SELECT v.details->>'delegationFeePercent' AS fee, v.block_timestamp, v.tie, v.id FROM transaction v
    WHERE v.network = t.network AND v.chain = 'p' AND v.details->>'nodeId' = ${detail('nodeId')}
      AND v.details->>'subnetId' = ${detail('subnetId')} AND v.tx_type = kind.tx_type
      AND v.details->>'delegationFeePercent' IS NOT NULL AND v.block_timestamp <= t.block_timestamp
    ORDER BY v.block_timestamp DESC, v.tie DESC, v.id DESC LIMIT 1) newest
  ORDER BY newest.block_timestamp DESC, newest.tie DESC, newest.id DESC LIMIT 1), '0')`;

/** SQL of what is paid for a delegation if it is rewarded, the validator's share included. */
export const gross = `coalesce(nullif(${staker.potentialReward}, 0)::text, ${detail('estimatedReward')}, '0')`;
const share = `CASE WHEN ${feeOfValidator} ~ '^[0-9]{1,3}([.][0-9]{1,4})?$' THEN ${feeOfValidator}::numeric * 10000 ELSE 0 END`;
/** SQL of the delegator's part of it. */
export const net = `(SELECT ${delegatorsPart('total', 'shares')} FROM (SELECT (${gross})::numeric, ${share}) gross(total, shares))::text`;
