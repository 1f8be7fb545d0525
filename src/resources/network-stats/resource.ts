import type { Resource } from '../../resource.js';
import { metricsTag } from '../composite-query/resource.js';
import { networkMetricRoutes } from './rest.js';

export const networkStats: Resource = { rest: { tag: metricsTag, routes: networkMetricRoutes } };
