import { rowLoader } from '../../graphql/row-loader.js';
import { findL1Validators } from './list.js';
import { toL1ValidatorNode } from './row.js';

/** L1 validators by network and validation id; null for one that no transaction changed. */
export const l1ValidatorLoader = rowLoader(
  findL1Validators,
  toL1ValidatorNode,
  ({ network, validationId }) => `${network}:${validationId}`,
);
