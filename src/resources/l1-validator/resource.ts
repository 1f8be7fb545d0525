import type { Resource } from '../../resource.js';
import { primaryNetworkTag } from '../utxo/resource.js';
import { l1ValidatorRoutes } from './rest.js';

export const l1Validator: Resource = { rest: { tag: primaryNetworkTag, routes: l1ValidatorRoutes } };
