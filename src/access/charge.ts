import { AppError } from '../errors.js';
import type { Decision, Limiter } from './limiter.js';
import type { Plan } from './plans.js';

/**
 * What one HTTP request pays; the envelope makes it, and the GraphQL context carries it. The first `take` is
 * the charge; later ones, from wherever, get the same answer. REST takes 1 before its route runs, so that the
 * root fields of its document find the request paid; a GraphQL operation arrives unpaid, and its admission
 * takes the price.
 */
export interface Charge {
  readonly identity: string;
  readonly plan: Plan;
  /** Whether anything is counted; false with RATE_LIMITS=off. */
  readonly limited: boolean;
  /** The answer once it is known; what the headers are written from. */
  readonly decision: Decision | undefined;
  /** Whether the price was named; the answer may still be on its way, or be that the plan never admits it. */
  readonly isTaken: boolean;
  /** Requests taken off the plan: 0 before the charge, when refused, and where nothing is counted. */
  readonly charged: number;
  take(cost: number): Promise<Decision>;
  /**
   * Sets the least that is charged, rounded up, but never more than the plan ever admits: for work that the
   * price of the operation does not know of. The largest that was set counts.
   */
  owe(least: number): void;
  /**
   * Whether what is owed would be admitted. Nothing is charged; if it would not, the answer is the request's
   * refusal.
   */
  look(): Promise<Decision>;
  /**
   * Refuses a caller that this process knows to be blocked, before anything of its request is read; undefined
   * for one that it does not know to be.
   */
  refuseBlocked(): Promise<void> | undefined;
  /**
   * Notes the calculated cost of a GraphQL operation, before its price is taken. Introspection is left out:
   * it has its own limit and is answered from memory, while the usual introspection query would cost more
   * than most plans allow.
   */
  weigh(cost: number): void;
  /**
   * Takes the price of a GraphQL operation: 1 for each root field that is not free. With COST_PER_REQUEST, 1
   * for each such part of its cost if that is more.
   *
   * @throws AppError QUERY_TOO_COMPLEX for more than the plan ever admits; what is owed is charged, because
   *   the operation was read and checked
   */
  takeOperation(rootFields: number): Promise<Decision>;
  /** Gives back what was taken, for a request that is refused for lack of room before any work is done. */
  giveBack(): Promise<void>;
  /**
   * Counts the calls of fields that have their own limits; once, however often it is called. @throws what
   * `count` throws
   */
  takeCalls(count: () => Promise<void>): Promise<void>;
  /**
   * The decision; it waits for one that is still being made. For a request that was not charged (free pages),
   * the state of its limit.
   */
  standing(): Promise<Decision>;
}

/**
 * The charge of one request by `identity` on `plan`.
 *
 * @param costPerRequest how much of a GraphQL operation's cost is one request; null: operations pay only for
 *   root fields
 */
export function createCharge(
  limiter: Limiter,
  client: { identity: string; plan: Plan },
  costPerRequest: number | null = null,
): Charge {
  return new RequestCharge(limiter, client.identity, client.plan, costPerRequest ?? Infinity);
}

// A class, because an object literal with a getter, one for each request, is expensive: see PageInfo in
// graphql/connection.ts.
class RequestCharge implements Charge {
  decision: Decision | undefined;
  charged = 0;
  private taken: Promise<Decision> | undefined;
  private calls: Promise<void> | undefined;
  private weight = 0;
  private least = 1;

  constructor(
    private readonly limiter: Limiter,
    readonly identity: string,
    readonly plan: Plan,
    private readonly costPerRequest: number,
  ) {}

  get limited(): boolean {
    return this.limiter.limits;
  }

  get isTaken(): boolean {
    return this.taken !== undefined;
  }

  take(cost: number): Promise<Decision> {
    return (this.taken ??= this.consume(Math.max(cost, this.least)));
  }

  owe(least: number): void {
    this.least = Math.min(Math.max(this.least, Math.ceil(least)), this.plan.requests);
  }

  async look(): Promise<Decision> {
    const decision = await this.limiter.peek(this.identity, this.plan, this.least);
    return decision.admitted ? decision : this.take(this.least);
  }

  refuseBlocked(): Promise<void> | undefined {
    return this.limiter.isBlocked(this.identity) ? this.insist() : undefined;
  }

  private async insist(): Promise<void> {
    const decision = await this.look();
    if (!decision.admitted) throw refusal(decision, this.plan);
  }

  weigh(cost: number): void {
    this.weight = cost;
  }

  takeOperation(rootFields: number): Promise<Decision> {
    return this.take(Math.max(rootFields, Math.ceil(this.weight / this.costPerRequest)));
  }

  async giveBack(): Promise<void> {
    const { charged } = this;
    if (charged === 0) return;
    this.charged = 0;
    // Forgets the state of the limit, which is read again.
    this.taken = this.decision = undefined;
    await this.limiter.giveBack(this.identity, this.plan, charged);
  }

  takeCalls(count: () => Promise<void>): Promise<void> {
    return (this.calls ??= count());
  }

  async standing(): Promise<Decision> {
    return (await this.taken?.catch(() => undefined)) ?? this.limiter.peek(this.identity, this.plan);
  }

  private async consume(cost: number): Promise<Decision> {
    const isTooMuch = this.limited && cost > this.plan.requests;
    const charged = isTooMuch ? this.least : cost;
    const decision = await this.limiter.consume(this.identity, this.plan, charged);
    if (decision.admitted && this.limited) this.charged = charged;
    if (decision.admitted && isTooMuch) throw tooMuch(cost, this.plan);
    return (this.decision = decision);
  }
}

/** The refusal of what costs more than its plan ever admits. @param cost requests */
function tooMuch(cost: number, { name, requests, seconds }: Plan): AppError {
  return new AppError(
    'QUERY_TOO_COMPLEX',
    `this operation costs ${cost} requests; the plan ${name} allows ${requests} in ${seconds} seconds. Select fewer root fields or, where operations are charged by their cost, request smaller pages`,
  );
}

/** The 429 of a refused request. */
export function refusal(decision: Decision, plan: Plan): AppError {
  const reason = decision.blocked
    ? 'Too many requests were sent after the rate limit was reached, so this client is blocked for a while'
    : `The rate limit of the plan ${plan.name} is reached: ${decision.limit} requests in ${decision.windowSeconds} seconds`;
  return reachedLimit(reason, decision.resetSeconds);
}

/** A 429. @param retryAfterSeconds whole seconds until the same request is admitted */
export function reachedLimit(reason: string, retryAfterSeconds: number): AppError {
  const wait = `${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}`;
  return new AppError('RATE_LIMITED', `${reason}. Try again in ${wait}.`, { retryAfterSeconds });
}
