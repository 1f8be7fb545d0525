import type { Resource } from '../../resource.js';
import { primaryNetworkTag } from '../utxo/resource.js';
import { historyRoutes } from './rest.js';

export const history: Resource = { rest: { tag: primaryNetworkTag, routes: historyRoutes } };
