import { AppError } from '../errors.js';
import type { Decision, Limiter } from './limiter.js';
import type { Plan } from './plans.js';

/**
 * What one HTTP request pays, made by the envelope and carried in the GraphQL context. The first `take` is the
 * charge; later ones, whoever makes them, get the same answer. So REST takes 1 before its route runs and the gate on
 * the root fields of its document finds the request paid; a GraphQL operation arrives unpaid, and the gate takes
 * one for each root field.
 */
export interface Charge {
  readonly identity: string;
  readonly plan: Plan;
  /** Whether anything is counted; false with RATE_LIMITS=off. */
  readonly limited: boolean;
  /** The answer once it is known; what the headers are written from. */
  readonly decision: Decision | undefined;
  take(cost: number): Promise<Decision>;
  /** The decision, one under way included; of a request that was not charged (free pages), how the client stands. */
  standing(): Promise<Decision>;
}

/** The charge of one request by `identity` on `plan`. */
export function createCharge(limiter: Limiter, { identity, plan }: { identity: string; plan: Plan }): Charge {
  let taken: Promise<Decision> | undefined;
  let decision: Decision | undefined;
  async function consume(cost: number): Promise<Decision> {
    return (decision = await limiter.consume(identity, plan, cost));
  }
  return {
    identity,
    plan,
    limited: limiter.limits,
    get decision() {
      return decision;
    },
    take: (cost) => (taken ??= consume(cost)),
    standing: async () => (await taken?.catch(() => undefined)) ?? limiter.peek(identity, plan),
  };
}

/** The 429 of a refused request. */
export function refusal(decision: Decision, plan: Plan): AppError {
  const seconds = decision.resetSeconds;
  const reason = decision.blocked
    ? 'Too many requests were sent after the rate limit was reached, so this client is blocked for a while'
    : `The rate limit of the plan ${plan.name} is reached: ${decision.limit} requests in ${decision.windowSeconds} seconds`;
  return new AppError(
    'RATE_LIMITED',
    `${reason}. Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
    {
      retryAfterSeconds: seconds,
    },
  );
}
