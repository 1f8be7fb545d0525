import { rowLoader } from '../../graphql/row-loader.js';
import { toEffectNode } from './row.js';
import { findEffects } from './store.js';

/** Effects of transactions on addresses, by the row ids of the transactions; null for one that is not stored. */
export const effectLoader = rowLoader(
  findEffects,
  toEffectNode,
  ({ transactionId, addresses }) => `${transactionId} ${addresses.join(' ')}`,
);
