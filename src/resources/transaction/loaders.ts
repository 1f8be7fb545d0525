import { rowLoader } from '../../graphql/row-loader.js';
import { findConsuming, findCreating, findTransactions } from './list.js';
import { toTransactionNode } from './row.js';

/** Transactions by network, chain and hash; null for one that is not held. */
export const transactionLoader = rowLoader(
  findTransactions,
  toTransactionNode,
  ({ network, chain, txHash }) => `${network}:${chain}:${txHash}`,
);

/** The transaction that made an output, by the output's row id; null when it is not held. */
export const creatingTransactionLoader = rowLoader(
  findCreating,
  toTransactionNode,
  ({ utxoRowId }) => utxoRowId,
);

/** The transaction that spent an output, by the output's row id; null when it is not held. */
export const consumingTransactionLoader = rowLoader(
  findConsuming,
  toTransactionNode,
  ({ utxoRowId }) => utxoRowId,
);
