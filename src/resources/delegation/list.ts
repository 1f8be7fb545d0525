import type { Network } from '../../avalanche/networks.js';
import { defineList } from '../../lists/read.js';
import { stakerTable } from '../../state/staking.js';
import { isDelegation, isOfSubnet } from '../reference/present.js';
import { delegationRows, type DelegationNode } from './fields.js';

const staker = stakerTable.as('f');

/** A node as a validator of a subnet. */
interface SubnetValidatorKey {
  network: Network;
  subnetId: string;
  nodeId: string;
}

/** The delegations to a validator that stake or wait, the largest first. Cursors are row ids of stakers. */
export const currentDelegationList = defineList<SubnetValidatorKey, DelegationNode, never>({
  name: 'current_delegations',
  values: { network: 'network', subnetId: 'text', nodeId: 'text' },
  parent: ['network', 'subnetId', 'nodeId'],
  ...delegationRows,
  where: (value) =>
    `${isOfSubnet(value('network'), value('subnetId'))} AND ${staker.nodeId} = ${value('nodeId')} COLLATE "default" AND ${isDelegation}`,
  order: {
    name: '',
    direction: 'desc',
    columns: [staker.weight, `${staker.txId} COLLATE "C"`],
    position: (alias) => [`${alias}.weight`, `${alias}.tx_id COLLATE "C"`],
  },
  cursor: { table: stakerTable.name },
});
