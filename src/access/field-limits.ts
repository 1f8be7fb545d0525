import { isIntrospectionType, isObjectType, type GraphQLSchema } from 'graphql';
import { z } from 'zod';
import { ConfigError } from '../config.js';
import type { Plan, Plans } from './plans.js';

/** How often a caller may call a field, in addition to what its plan says of requests. */
export const fieldLimitSchema = z.strictObject({
  // Not 0, which graphql-rate-limit replaces by its default, 5. Bounded, because each call is remembered.
  calls: z.int().min(1).max(10_000),
  /** Length of the window that ends with each call. */
  seconds: z.int().min(1).max(86_400),
});
export type FieldLimit = Readonly<z.infer<typeof fieldLimitSchema>>;

/** What a field may declare in its extensions: its limit on plans that do not mention it. */
export interface RateLimitExtension {
  rateLimit?: FieldLimit;
}

/** The limits of fields on a plan, by `Type.field`: those of the schema, overridden by those of the plan. */
export function fieldLimitsOf(schema: GraphQLSchema, plan: Plan): ReadonlyMap<string, FieldLimit> {
  const limits = new Map(declaredIn(schema));
  for (const [field, limit] of Object.entries(plan.fields ?? {})) {
    if (limit) limits.set(field, limit);
    else limits.delete(field);
  }
  return limits;
}

const declared = new WeakMap<GraphQLSchema, ReadonlyMap<string, FieldLimit>>();

// Once for each schema: looking at its hundreds of fields takes 0.3 ms, and clients ask for these limits.
function declaredIn(schema: GraphQLSchema): ReadonlyMap<string, FieldLimit> {
  const known = declared.get(schema);
  if (known) return known;
  const limits = new Map<string, FieldLimit>();
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const { name, extensions } of Object.values(type.getFields())) {
      const { rateLimit } = extensions as RateLimitExtension;
      if (rateLimit) limits.set(`${type.name}.${name}`, fieldLimitSchema.parse(rateLimit));
    }
  }
  declared.set(schema, limits);
  return limits;
}

/**
 * Refuses limits of fields that do not exist or that cost nothing.
 *
 * @param freeFields names of the root fields that cost nothing
 * @throws ConfigError that names PLANS, the plan and the field
 */
export function checkPlannedFields(
  schema: GraphQLSchema,
  plans: Plans,
  freeFields: ReadonlySet<string>,
): void {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  for (const plan of plans.names) {
    for (const coordinate of Object.keys(plans.find(plan)?.fields ?? {})) {
      const [typeName = '', fieldName = '', ...rest] = coordinate.split('.');
      const type = schema.getType(typeName);
      const known = isObjectType(type) && !isIntrospectionType(type) && fieldName in type.getFields();
      if (!known || rest.length > 0)
        throw new ConfigError(
          `PLANS: ${plan}: fields.${coordinate}: there is no such field; write the type and the field, as in Query.compositeQuery`,
        );
      if (roots.includes(type) && freeFields.has(fieldName))
        throw new ConfigError(`PLANS: ${plan}: fields.${coordinate}: is free and cannot be limited`);
    }
  }
}
