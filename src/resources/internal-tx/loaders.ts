import { rowLoader } from '../../graphql/row-loader.js';
import { findInternalTxs } from './list.js';
import { toInternalTxNode } from './row.js';

/** Internal transactions by their natural key; null for one that is not stored. */
export const internalTxLoader = rowLoader(
  findInternalTxs,
  toInternalTxNode,
  ({ evmChainId, txHash, position, sortKey }) => `${evmChainId}:${txHash}:${position}:${sortKey}`,
);
