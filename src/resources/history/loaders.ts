import { rowLoader } from '../../graphql/row-loader.js';
import { toEffectNode } from './row.js';
import { findEffects } from './store.js';

/** What transactions did to addresses, by the row ids of the transactions; null for one that is not held. */
export const effectLoader = rowLoader(
  findEffects,
  toEffectNode,
  ({ transactionId, addresses }) => `${transactionId} ${addresses.join(' ')}`,
);
