import { stakingPriorities } from '../avalanche/chain/staker-order.js';
import { stakerTable } from './staking.js';

/** SQL that counts what delegators add to validators, for rows of an older export, which do not say it. */
export const COUNT_DELEGATIONS = `
  UPDATE ${stakerTable.name} v SET delegated_weight = d.weight, delegators = d.count
  FROM (
    SELECT network, subnet_id, node_id, sum(weight) AS weight, count(*)::int AS count FROM ${stakerTable.name}
    WHERE priority IN (${stakingPriorities.delegators.join(', ')}) GROUP BY network, subnet_id, node_id) d
  WHERE v.network = d.network AND v.subnet_id = d.subnet_id AND v.node_id = d.node_id
    AND v.priority IN (${stakingPriorities.validators.join(', ')})
    AND (v.delegated_weight, v.delegators) IS DISTINCT FROM (d.weight, d.count)`;
