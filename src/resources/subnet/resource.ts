import type { Resource } from '../../resource.js';
import { primaryNetworkTag } from '../utxo/resource.js';
import { subnetRoutes } from './rest.js';
import { blockchainRoutes } from './rest-blockchains.js';

export const subnet: Resource = {
  rest: { tag: primaryNetworkTag, routes: [...subnetRoutes, ...blockchainRoutes] },
};
