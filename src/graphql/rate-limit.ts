import type { ExecutionResult } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Access } from '../access/access-control.js';
import { refusal, type Charge } from '../access/charge.js';
import type { Builder } from './builder.js';

/** The state of a caller's limit, as clients see it. */
interface RateLimit {
  plan: string;
  policy: string;
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}

/** What an operation costs, as clients see it. */
interface OperationCost {
  /** The cost that maxCost limits; null if it could not be calculated, as for a document of wrong syntax. */
  asked: number | null;
  /** Requests that it took off the plan, in all. */
  charged: number;
  /** Requests that the plan still allows; null without limits. */
  remaining: number | null;
}

/** Registers the query field rateLimit. It is free: see the free fields in src/app.ts. */
export function registerRateLimit(builder: Builder): void {
  const rateLimit = builder.objectRef<RateLimit>('RateLimit').implement({
    description:
      "The caller's current rate limit under its plan. A plan has two windows; the one closer to its limit is described. A REST request costs 1. A GraphQL operation costs 1 for each root field, and at least 1; aliases and introspection count, __typename and rateLimit do not. A document that is not in the gateway's cache costs 1 for each started 250 tokens or 4,096 characters if that is more, but at most what the window allows; so does introspection whose answer is not in memory for each started 1,000 fields of it. Where operations are charged by cost, one may cost more: see ServiceConfig.costPerRequest.",
    fields: (t) => ({
      plan: t.exposeString('plan', { description: 'Name of the plan; anonymous without an API key.' }),
      policy: t.exposeString('policy', {
        description: 'The policy, as in the header ratelimit-policy, for example 8000;w=60;name="free".',
      }),
      limit: t.exposeInt('limit', { description: 'Requests allowed in the window.' }),
      windowSeconds: t.exposeInt('windowSeconds', { description: 'Length of the window, seconds.' }),
      remaining: t.exposeInt('remaining', {
        description: 'Requests left in the window after this operation; 0 while blocked.',
      }),
      resetSeconds: t.exposeInt('resetSeconds', {
        description:
          'Whole seconds until the window is over or, when nothing is left, until a request succeeds again.',
      }),
    }),
  });
  builder.queryField('rateLimit', (t) =>
    t.field({
      type: rateLimit,
      nullable: true,
      description:
        "The caller's current rate limit. Free together with other fields; an operation that selects nothing else costs 1. Null when limits are off.",
      // The operation has paid before any of its fields runs.
      resolve: (_root, _args, { charge }) => (charge.limited ? standingOf(charge) : null),
    }),
  );
}

/**
 * Charges 1 for a document that was refused before its operation was charged, and shows the state of the
 * limit in the result.
 */
export function settleCharge(toGraphQLError: (error: unknown) => Error): Plugin<object, { access: Access }> {
  return {
    async onExecutionResult(outcome) {
      const { result } = outcome;
      const { access } = outcome.context;
      if (!result || isAsyncIterable(result)) return;
      const isUnpaid = access.charge.limited && result.data === undefined;
      const settled = isUnpaid ? await chargeRefused(result, access.charge) : result;
      outcome.setResult({
        ...settled,
        extensions: { ...settled.extensions, ...(await resultExtensions(access)) },
      });
    },
  };

  async function chargeRefused(result: ExecutionResult, charge: Charge): Promise<ExecutionResult> {
    // An operation that the plan never admits has paid, and its refusal is the result.
    if (charge.isTaken && !charge.decision) return result;
    const decision = await charge.take(1);
    if (decision.admitted) return result;
    return { errors: [toGraphQLError(refusal(decision, charge.plan)) as never] };
  }
}

/** The extensions of every result; the same from both executors. */
export async function resultExtensions({
  charge,
  record,
}: Pick<Access, 'charge' | 'record'>): Promise<{ cost: OperationCost; rateLimit?: RateLimit }> {
  const rateLimit = charge.limited ? await standingOf(charge) : undefined;
  const { cost: asked = null } = record;
  const cost = { asked, charged: charge.charged, remaining: rateLimit?.remaining ?? null };
  return { cost, ...(rateLimit && { rateLimit }) };
}

async function standingOf(charge: Charge): Promise<RateLimit> {
  const { policy, limit, windowSeconds, remaining, resetSeconds } = await charge.standing();
  return { plan: charge.plan.name, policy, limit, windowSeconds, remaining, resetSeconds };
}
