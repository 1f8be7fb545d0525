import type { Resource } from '../../resource.js';
import { primaryNetworkTag } from '../utxo/resource.js';
import { networkRoutes } from './rest.js';

export const subnetValidator: Resource = { rest: { tag: primaryNetworkTag, routes: networkRoutes } };
