import { rowLoader } from '../../graphql/row-loader.js';
import { findConsuming, findCreating, findReward, findStaking, findTransactions } from './list.js';
import { toTransactionNode } from './row.js';

/** Transactions by network, chain and hash; null for one that is not stored. */
export const transactionLoader = rowLoader(
  findTransactions,
  toTransactionNode,
  ({ network, chain, txHash }) => `${network}:${chain}:${txHash}`,
);

/** The transaction that created an output, by the output's row id; null when it is not stored. */
export const creatingTransactionLoader = rowLoader(
  findCreating,
  toTransactionNode,
  ({ utxoRowId }) => utxoRowId,
);

/** The transaction that spent an output, by the output's row id; null when it is not stored. */
export const consumingTransactionLoader = rowLoader(
  findConsuming,
  toTransactionNode,
  ({ utxoRowId }) => utxoRowId,
);

/** The transaction whose stake another one ended, by that one's row id; null when it is not stored. */
export const stakingTransactionLoader = rowLoader(
  findStaking,
  toTransactionNode,
  ({ transactionId }) => transactionId,
);

/** The transaction that ended the stake of another one, by that one's row id; null when it is not stored. */
export const rewardTransactionLoader = rowLoader(
  findReward,
  toTransactionNode,
  ({ transactionId }) => transactionId,
);
