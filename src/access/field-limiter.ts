import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import { getGraphQLRateLimiter } from 'graphql-rate-limit';
import { AppError } from '../errors.js';
import type { AccessControl } from './access-control.js';
import { reachedLimit, type Charge } from './charge.js';
import { countCalls, mentionsAny } from './field-calls.js';
import { checkPlannedFields, fieldLimitsOf, type FieldLimit } from './field-limits.js';
import { FieldStore } from './field-store.js';

/** Whose calls they are. */
type Payer = Pick<Charge, 'identity' | 'plan'>;

/** The limits of single fields, at work; graphql-rate-limit compares and refuses. */
export class FieldLimiter {
  /** By name of the plan, then by `Type.field`. */
  private readonly plans: ReadonlyMap<string, ReadonlyMap<string, LimitedField>>;

  /**
   * @param freeFields names of the root fields that cost nothing
   * @throws ConfigError for a plan that names what is no field
   */
  constructor(
    schema: GraphQLSchema,
    freeFields: ReadonlySet<string>,
    { plans, limiter }: Pick<AccessControl, 'plans' | 'limiter'>,
    now: () => number,
  ) {
    checkPlannedFields(schema, plans, freeFields);
    const limitsOf = (name: string) => fieldLimitsOf(schema, plans.find(name) ?? plans.anonymous);
    const limited = (plan: string, field: string, limit: FieldLimit) =>
      new LimitedField(field, limit, new FieldStore(limiter.callLog(`${field} ${plan}`, limit), limit, now));
    this.plans = new Map(
      plans.names.map((plan) => [
        plan,
        new Map([...limitsOf(plan)].map(([field, limit]) => [field, limited(plan, field, limit)])),
      ]),
    );
  }

  /** Whether an operation may call a field that has a limit. Asked on every request. */
  concerns(
    { limited, plan }: Pick<Charge, 'limited' | 'plan'>,
    info: Pick<GraphQLResolveInfo, 'operation' | 'fragments'>,
  ): boolean {
    const fields = this.plans.get(plan.name);
    return limited && !!fields?.size && mentionsAny(info, fields);
  }

  /**
   * Counts the calls of an operation, or none of them when any field refuses.
   *
   * @throws AppError RATE_LIMITED; QUERY_TOO_COMPLEX when one operation has more calls than are ever admitted
   */
  async take({ identity, plan }: Payer, info: GraphQLResolveInfo): Promise<void> {
    const limited = this.plans.get(plan.name) ?? new Map<string, LimitedField>();
    const calls = countCalls(info, limited);
    // In the order of the schema, whatever the document's is: two operations then wait for no room of each other's.
    const fields = [...limited.values()].flatMap((field) => {
      const times = calls.get(field.coordinate);
      return times === undefined ? [] : [{ field, times }];
    });
    for (const { field, times } of fields) field.insistOnPossible(times, plan.name);
    const taken: typeof fields = [];
    for (const each of fields) {
      const refusal = await each.field.call(identity, plan.name, each.times);
      if (!refusal) {
        taken.push(each);
        continue;
      }
      await Promise.all(taken.map(({ field, times }) => field.store.takeBack(identity, times)));
      throw refusal;
    }
  }
}

/** A field with a limit, for the callers of one plan. */
class LimitedField {
  private readonly limiter;

  constructor(
    readonly coordinate: string,
    private readonly limit: FieldLimit,
    readonly store: FieldStore,
  ) {
    this.limiter = getGraphQLRateLimiter({ store, identifyContext: (caller: string) => caller });
  }

  /** Writes the calls down, or says why not. */
  async call(caller: string, plan: string, times: number): Promise<AppError | undefined> {
    const { calls: max, seconds } = this.limit;
    // The library's key is the bare name, and its number of calls the length of an argument; both go into what the
    // Store is asked.
    const call = {
      ...{ parent: undefined, context: caller, args: { calls: Array.from({ length: times }) } },
      info: { fieldName: this.coordinate } as GraphQLResolveInfo,
    };
    const refused = await this.limiter(call, {
      ...{ max, arrayLengthField: 'calls', identityArgs: ['calls.length'] },
      // Longer than any: which calls are in the window is what the Store says. The library would look at the clock a
      // moment after it, forget a call by which the Store found no room, and let through what is not written down.
      window: '2 days',
    });
    if (refused === undefined) return undefined;
    const reason = `The rate limit of ${this.coordinate} on the plan ${plan} is reached: ${max} calls in ${seconds} seconds`;
    return reachedLimit(reason, await this.store.retrySeconds(caller, times));
  }

  insistOnPossible(times: number, plan: string): void {
    const { calls, seconds } = this.limit;
    if (times > calls)
      throw new AppError(
        'QUERY_TOO_COMPLEX',
        `this operation calls ${this.coordinate} ${times} times; the plan ${plan} allows ${calls} calls in ${seconds} seconds`,
      );
  }
}
