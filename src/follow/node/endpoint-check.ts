import type { Endpoint } from './endpoint.js';

/** Decides whether an endpoint may be used: before its first call, and again after its connections broke. */
export interface EndpointCheck {
  /** @throws Failed `other-network` and what asking it throws */
  check(endpoint: Endpoint): Promise<void>;
}
