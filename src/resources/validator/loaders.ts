import { rowLoader } from '../../graphql/row-loader.js';
import { findValidators } from './list.js';
import { toValidatorNode } from './row.js';

/** Validators by network and node id; null for one that no transaction names. */
export const validatorLoader = rowLoader(
  findValidators,
  toValidatorNode,
  ({ network, nodeId }) => `${network}:${nodeId}`,
);
