import type { Decision } from './limiter.js';

/**
 * The headers of every reply to a valid key (docs/contract.md, "Keys and limits"). A refusal's own are those
 * of its error.
 */
export function rateLimitHeaders({ policy, limit, remaining }: Decision): Record<string, string> {
  return {
    'ratelimit-policy': policy,
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
  };
}
