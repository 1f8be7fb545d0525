import type { Resource } from '../../resource.js';
import { evmChainsTag } from '../chain/resource.js';
import { addressChainsRoutes } from './rest.js';

export const search: Resource = { rest: { tag: evmChainsTag, routes: addressChainsRoutes } };
