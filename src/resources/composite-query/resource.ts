import type { Resource } from '../../resource.js';
import type { Tag } from '../../rest/openapi/document.js';
import { compositeRoutes } from './rest.js';

export const metricsTag: Tag = {
  name: 'Metrics',
  description: 'Composite queries of addresses, and metrics of subnets.',
};

export const compositeQuery: Resource = {
  rest: { tag: metricsTag, routes: compositeRoutes },
};
