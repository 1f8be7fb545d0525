import type { Resource } from '../../resource.js';
import { primaryNetworkTag } from '../utxo/resource.js';
import { stakeRoutes } from './rest.js';
import { stakingTransactionRoutes } from './rest-transactions.js';

export const stake: Resource = {
  rest: { tag: primaryNetworkTag, routes: [...stakeRoutes, ...stakingTransactionRoutes] },
};
