import { rowLoader } from '../../graphql/row-loader.js';
import { findInternalTxs } from './list.js';
import { toInternalTxNode } from './row.js';

/** Internal transactions by their natural key; null for one that is not held. */
export const internalTxLoader = rowLoader(
  findInternalTxs,
  toInternalTxNode,
  ({ evmChainId, txHash, position, tie }) => `${evmChainId}:${txHash}:${position}:${tie}`,
);
