import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import { getGraphQLRateLimiter } from 'graphql-rate-limit';
import { AppError } from '../errors.js';
import type { AccessControl } from './access-control.js';
import { reachedLimit, type Charge } from './charge.js';
import { countCalls, mentionsAny, type CountedOperation } from './field-calls.js';
import { checkPlannedFields, fieldLimitsOf, type FieldLimit } from './field-limits.js';
import { FieldStore } from './field-store.js';

/** Whose calls they are. */
type Payer = Pick<Charge, 'identity' | 'plan'>;

/** The limits of single fields; graphql-rate-limit compares and refuses. */
export class FieldLimiter {
  /** By name of the plan, then by `Type.field`. */
  private readonly plans: ReadonlyMap<string, ReadonlyMap<string, LimitedField>>;

  /**
   * @param freeFields names of the root fields that cost nothing
   * @throws ConfigError for a plan that names a field that does not exist
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

  /** Whether an operation may call a field that has a limit. Called on every request. */
  concerns(
    { limited, plan }: Pick<Charge, 'limited' | 'plan'>,
    operation: Pick<CountedOperation, 'operation' | 'fragments'>,
  ): boolean {
    const fields = this.plans.get(plan.name);
    return limited && !!fields?.size && mentionsAny(operation, fields);
  }

  /**
   * Counts the calls of an operation, or none of them when any field refuses.
   *
   * @throws AppError RATE_LIMITED; QUERY_TOO_COMPLEX when one operation has more calls than are ever admitted
   */
  async take({ identity, plan }: Payer, operation: CountedOperation): Promise<void> {
    const limited = this.plans.get(plan.name) ?? new Map<string, LimitedField>();
    const calls = countCalls(operation, limited);
    // In the order of the schema, not of the document: two operations then never wait for each other's room.
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

  /** Records the calls, or says why it does not. */
  async call(caller: string, plan: string, times: number): Promise<AppError | undefined> {
    const { calls: max, seconds } = this.limit;
    // The library's key is the bare name, and its number of calls the length of an argument; both are part of
    // what the Store is called with.
    const call = {
      parent: undefined,
      context: caller,
      args: { calls: Array.from({ length: times }) },
      info: { fieldName: this.coordinate } as GraphQLResolveInfo,
    };
    const refused = await this.limiter(call, {
      max,
      arrayLengthField: 'calls',
      identityArgs: ['calls.length'],
      // Longer than any: the Store says which calls are in the window. The library would read the clock a
      // moment later, forget a call for which the Store found no room, and admit one that is not recorded.
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
