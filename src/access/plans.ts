import { z } from 'zod';
import { ConfigError } from '../config.js';
import { inWords } from '../config/words.js';
import { fieldLimitSchema, type FieldLimit } from './field-limits.js';

/**
 * What a caller may do beyond reading what everybody may: `documents`, to send GraphQL documents of its own
 * where TRUSTED_OPERATIONS lets others send only known ones.
 */
export const knownRights = ['reindex', 'documents'] as const;
export type Right = (typeof knownRights)[number];
/** Those of a plan that does not say which it has. */
const defaultRights: readonly Right[] = ['reindex'];

/** How much a client may ask for, and what. */
export interface Plan {
  name: string;
  /** Requests admitted in each window of `seconds`. */
  requests: number;
  seconds: number;
  /** Requests admitted in 24 hours; null: no such limit. */
  perDay: number | null;
  /** Streams that may be open at a time in each process. */
  streams: number;
  /** Events that all of them may send in each window of `seconds`; further ones wait. */
  events: number;
  rights: readonly Right[];
  /** Limits of single fields by `Type.field`, instead of those that the schema declares; null: none. */
  fields?: Readonly<Record<string, FieldLimit | null>> | undefined;
}

/** What is counted of a plan. */
export type PlanWindows = Pick<Plan, 'requests' | 'seconds' | 'perDay'>;

/** Plans by name. The anonymous one, of callers without a key, is always there. */
export interface Plans {
  readonly anonymous: Plan;
  find(name: string): Plan | undefined;
  readonly names: readonly string[];
}

const anonymousName = 'anonymous';

const defaults: Record<string, PlanNumbers> = {
  [anonymousName]: minutely(6_000, 1_000_000, 10),
  free: minutely(8_000, 2_000_000, 100),
  base: minutely(10_000, 4_000_000, 200),
  growth: minutely(14_000, 10_000_000, 500),
  pro: minutely(20_000, 25_000_000, 1000),
};

const amount = z.int().min(1).max(1_000_000_000);
const planSchema = z
  .strictObject({
    requests: amount,
    seconds: z.int().min(1).max(86_400),
    perDay: amount.nullable().default(null),
    streams: z.int().min(0).max(1_000_000).default(100),
    events: amount.optional(),
    rights: z.array(z.enum(knownRights)).default([...defaultRights]),
    fields: z.record(z.string(), fieldLimitSchema.nullable()).optional(),
  })
  .refine(({ requests, perDay }) => perDay === null || perDay >= requests, {
    path: ['perDay'],
    message: 'must be at least requests, or null for no limit per day',
  });
type PlanNumbers = z.infer<typeof planSchema>;

// The name travels in the ratelimit-policy header, between quotes.
const planName = /^[a-z][a-z0-9_-]{0,31}$/;
const overridesSchema = z.record(
  z.string(),
  z.record(z.string(), z.unknown(), 'must be an object, or null to remove the plan').nullable(),
  'must be an object of plans by name',
);

/**
 * The plans in force: the defaults with `overrides` (the setting PLANS) laid over them field by field.
 *
 * @param overrides plans by name, any fields of them; null removes a plan; a new name needs requests and
 *   seconds
 * @throws ConfigError that names PLANS and each wrong field
 */
export function resolvePlans(overrides: unknown = {}): Plans {
  const given = check('PLANS', overridesSchema, overrides);
  if (given[anonymousName] === null)
    throw new ConfigError(
      `PLANS: ${anonymousName} cannot be removed, callers without a key need it; set its requests`,
    );
  const misnamed = Object.keys(given).find((name) => !planName.test(name));
  if (misnamed !== undefined)
    throw new ConfigError(
      `PLANS: ${misnamed}: a name is a letter and up to 31 of a-z, 0-9, - and _, in lower case`,
    );
  const plans = new Map<string, Plan>();
  const problems: string[] = [];
  for (const name of new Set([...Object.keys(defaults), ...Object.keys(given)])) {
    const fields = given[name];
    if (fields === null) continue;
    try {
      const numbers = check(`PLANS: ${name}`, planSchema, { ...defaults[name], ...fields });
      plans.set(name, { name, ...numbers, events: numbers.events ?? numbers.requests });
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n  '));
  return {
    anonymous: plans.get(anonymousName) as Plan,
    find: (name) => plans.get(name),
    names: [...plans.keys()],
  };
}

function minutely(requests: number, perDay: number, streams: number): PlanNumbers {
  return { requests, seconds: 60, perDay, streams, rights: [...defaultRights] };
}

function check<T>(where: string, schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value, { error: inWords });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  );
  throw new ConfigError(`${where}: ${problems.join('; ')}`);
}
