import { rowLoader } from '../../graphql/row-loader.js';
import { findBlocks, findBlocksByHash, findBlocksOf, findFollowing, findPrevious } from './list.js';
import { toBlockNode } from './row.js';

/** Blocks by network, chain and number; null for a block without a stored transaction. */
export const blockLoader = rowLoader(
  findBlocks,
  toBlockNode,
  ({ network, chain, number }) => `${network}:${chain}:${number}`,
);

/** The same by hash. */
export const blockByHashLoader = rowLoader(
  findBlocksByHash,
  toBlockNode,
  ({ network, chain, hash }) => `${network}:${chain}:${hash}`,
);

/** The block of a transaction, by the transaction's row id; null if its number is unknown. */
export const transactionBlockLoader = rowLoader(
  findBlocksOf,
  toBlockNode,
  ({ transactionId }) => transactionId,
);

/** The stored block before a block, by the row id of the transaction that stands for this one; null for the first. */
export const previousBlockLoader = rowLoader(findPrevious, toBlockNode, ({ transactionId }) => transactionId);

/** The stored block after it; null for the last. */
export const nextBlockLoader = rowLoader(findFollowing, toBlockNode, ({ transactionId }) => transactionId);
