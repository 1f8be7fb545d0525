import { rowLoader } from '../../graphql/row-loader.js';
import { toTransactionNode } from '../transaction/row.js';
import { findOwning, findSubnets } from './list.js';
import { toSubnetNode } from './row.js';

/** Subnets by network and id; null for one that nothing names. */
export const subnetLoader = rowLoader(
  findSubnets,
  toSubnetNode,
  ({ network, subnetId }) => `${network}:${subnetId}`,
);

/** The newest transaction that set a subnet's owners, by the subnet's row id; null when none is stored. */
export const owningTransactionLoader = rowLoader(findOwning, toTransactionNode, ({ rowId }) => rowId);
