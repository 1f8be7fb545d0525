import type { Resource } from '../../resource.js';
import { webhookRoutes } from './rest.js';

export const webhook: Resource = {
  rest: {
    tag: {
      name: 'Webhooks',
      description: 'Events that are sent to servers of your own. An API key is needed.',
    },
    routes: webhookRoutes,
  },
};
