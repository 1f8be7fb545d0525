import type { Resource } from '../../resource.js';
import { primaryNetworkTag } from '../utxo/resource.js';
import { addressRoutes } from './rest.js';

export const address: Resource = { rest: { tag: primaryNetworkTag, routes: addressRoutes } };
