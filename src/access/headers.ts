import type { Caller } from './authenticate.js';
import type { Decision } from './limiter.js';

/**
 * The rate-limit headers of a reply (spec.md, "Limits"): policy, limit and remaining for a valid key; reset and
 * retry-after on every refusal.
 */
export function rateLimitHeaders(kind: Caller['kind'], decision: Decision): Record<string, string> {
  const headers: Record<string, string> = {};
  if (kind === 'key') {
    headers['ratelimit-policy'] = decision.policy;
    headers['ratelimit-limit'] = String(decision.limit);
    headers['ratelimit-remaining'] = String(decision.remaining);
  }
  if (decision.retryAfterSeconds !== undefined) {
    headers['ratelimit-reset'] = String(decision.resetSeconds);
    headers['retry-after'] = String(decision.retryAfterSeconds);
  }
  return headers;
}
