import type { Resource } from '../../resource.js';
import { primaryNetworkTag } from '../utxo/resource.js';
import { rewardRoutes } from './rest.js';

export const reward: Resource = { rest: { tag: primaryNetworkTag, routes: rewardRoutes } };
