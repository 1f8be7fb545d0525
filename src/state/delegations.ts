import { presentPriorities, stakingPriorities } from '../avalanche/chain/staker-order.js';
import { stakerTable, stakeTotalTable } from './staking.js';

/** What delegators add to a staker that has none. */
export const noDelegators = { delegatedWeight: 0n, delegators: 0, delegatedReward: 0n };

/** SQL of a delegator's part of a reward: splitReward. @param shares the validator's, parts of a million */
export const delegatorsPart = (
  total: string,
  shares: string,
) => `CASE WHEN (1000000 - ${shares}) * ${total} <= 18446744073709551615
  THEN div((1000000 - ${shares}) * ${total}, 1000000) ELSE (1000000 - ${shares}) * div(${total}, 1000000) END`;

/** SQL that counts what delegators add to validators, for rows of an older export, which do not say it. */
export const COUNT_DELEGATIONS = `
  UPDATE ${stakerTable.name} v SET delegated_weight = d.weight, delegators = d.count, delegated_reward = d.reward
  FROM (
    SELECT v.network, v.tx_id, sum(d.weight) AS weight, count(*)::int AS count,
      sum(d.potential_reward - ${delegatorsPart('d.potential_reward', 'v.shares')}) AS reward
    FROM ${stakerTable.name} v JOIN ${stakerTable.name} d
      ON d.network = v.network AND d.subnet_id = v.subnet_id AND d.node_id = v.node_id
    WHERE v.priority IN (${stakingPriorities.validators.join(', ')}) AND d.priority IN (${stakingPriorities.delegators.join(', ')})
    GROUP BY v.network, v.tx_id) d
  WHERE v.network = d.network AND v.tx_id = d.tx_id
    AND (v.delegated_weight, v.delegators, v.delegated_reward) IS DISTINCT FROM (d.weight, d.count, d.reward)`;

const present = presentPriorities.validators.join(', ');
const staking = stakingPriorities.validators.join(', ');

/** SQL that sums up the stakers of each subnet again, where they were not written by one state. */
export const SUM_STAKES = `
  INSERT INTO ${stakeTotalTable.name} AS t
    (network, subnet_id, validators, waiting, delegators, weight, delegated_weight, potential_reward)
  SELECT network, subnet_id, count(*) FILTER (WHERE priority IN (${staking})),
    count(*) FILTER (WHERE priority IN (${present}) AND priority NOT IN (${staking})), sum(delegators),
    coalesce(sum(weight + delegated_weight) FILTER (WHERE priority IN (${staking})), 0), sum(delegated_weight), sum(potential_reward)
  FROM ${stakerTable.name} GROUP BY network, subnet_id
  ON CONFLICT (network, subnet_id) DO UPDATE
    SET (validators, waiting, delegators, weight, delegated_weight, potential_reward) = (excluded.validators,
      excluded.waiting, excluded.delegators, excluded.weight, excluded.delegated_weight, excluded.potential_reward)`;
