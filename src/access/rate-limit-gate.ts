import { collectFields } from '@graphql-tools/utils';
import {
  defaultFieldResolver,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import { getGraphQLRateLimiter } from 'graphql-rate-limit';
import { type Charge, refusal } from './charge.js';
import { ChargeStore, chargeStoreMax } from './rate-limit-store.js';

/** What the gate needs of the GraphQL context. */
export interface ChargedContext {
  charge: Charge;
}

/**
 * Puts the gate before every root field of the schema but the free ones, so that no resource has to remember it.
 * Changes the schema.
 *
 * @param freeFields names of root fields that cost nothing, such as `rateLimit`; introspection is always free
 */
export function gateRootFields(schema: GraphQLSchema, freeFields: ReadonlySet<string>): void {
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      if (!freeFields.has(field.name))
        field.resolve = rateLimitGate(field.resolve ?? defaultFieldResolver, freeFields);
    }
  }
}

/**
 * A root field's resolver that runs only when the request's charge is admitted. The first field of an operation
 * pays for all of them in one step: 1 for each response key that is not free, so that aliases count and a field
 * selected twice under one key does not; the operation is admitted or refused as a whole.
 *
 * @throws AppError RATE_LIMITED, from every root field alike
 */
export function rateLimitGate<Source, Context extends ChargedContext, Args, Result>(
  resolve: GraphQLFieldResolver<Source, Context, Args, Result>,
  freeFields: ReadonlySet<string>,
): GraphQLFieldResolver<Source, Context, Args, Result | Promise<Awaited<Result>>> {
  return (source, args, context, info) => {
    const { charge } = context;
    // Paid before, by REST or by an earlier field of a mutation.
    if (charge.decision?.admitted) return resolve(source, args, context, info);
    return admit(charge, info, freeFields).then(() => resolve(source, args, context, info)) as Promise<
      Awaited<Result>
    >;
  };
}

async function admit(
  charge: Charge,
  info: GraphQLResolveInfo,
  freeFields: ReadonlySet<string>,
): Promise<void> {
  const limiter = getGraphQLRateLimiter({
    identifyContext: () => charge.identity,
    store: new ChargeStore(charge, costOf(info, freeFields)),
  });
  const call = { parent: undefined, args: {}, context: undefined, info };
  const refused = await limiter(call, { max: chargeStoreMax, readOnly: true });
  if (refused !== undefined && charge.decision) throw refusal(charge.decision, charge.plan);
}

function costOf(info: GraphQLResolveInfo, freeFields: ReadonlySet<string>): number {
  const { fields } = collectFields(
    info.schema,
    info.fragments,
    info.variableValues,
    info.parentType,
    info.operation.selectionSet,
  );
  return [...fields.values()].filter(([field]) => {
    const name = field?.name.value ?? '';
    return !name.startsWith('__') && !freeFields.has(name);
  }).length;
}
