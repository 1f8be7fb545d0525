import { availableParallelism } from 'node:os';
import { z } from 'zod';

/** One environment variable: its meaning, allowed values and default. */
export interface Setting<T> {
  description: string;
  schema: z.ZodType<T>;
  /** The default as written in the environment; undefined means "not set". */
  default: string | undefined;
  /** Never printed. */
  secret?: boolean;
}

/** The longest time of a timer of Node, milliseconds. */
const MOST = 2 ** 31 - 1;

/** A schema's description says what it accepts, as the end of a sentence "… is not". */
export function wholeNumber(min: number, max = MOST) {
  const range = `from ${min} to ${max}`;
  return z.coerce.number().int().min(min).max(max).describe(`a whole number ${range}`);
}

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values).describe(`one of ${values.join(', ')}`);
}

export const text = z.string().min(1).describe('a text');
export const port = wholeNumber(0, 65_535);
export const count = wholeNumber(1);
/** A number of processes; `auto` is one for each core. */
export const processes = z
  .union([z.literal('auto'), count])
  .transform((value) => (value === 'auto' ? availableParallelism() : value))
  .describe('a whole number from 1 on, or auto');
export const onOff = oneOf(['on', 'off']).transform((value) => value === 'on');
export const trueFalse = oneOf(['true', 'false']).transform((value) => value === 'true');
export const url = z
  .url({ protocol: /^https?$/ })
  .describe('an address that begins with http:// or https://')
  .transform((value) => value.replace(/\/+$/, ''));
/** An address that is shown to others: user name and password are left out. */
export const publishedUrl = url.transform((value) => {
  const { username, password } = new URL(value);
  return username || password ? value.replace(/\/\/[^/?#]*@/, '//') : value;
});
/** The origin of a page, as browsers send it: without a path. */
export const origin = z
  .url({ protocol: /^[a-z][a-z0-9+.-]*$/ })
  .refine((value) => !/[^/]\/[^/]*$/.test(value));
/**
 * Whether an address can be read in one way only. A `/`, `?` or `#` in a password ends the part with the
 * password: what follows would be taken for a host or a name, and shown. In such an address the `@` stands in
 * the rest.
 */
const isPlain = (value: string) => {
  const [, account, rest = ''] = /^[a-z]+:\/\/(?:([^/?#]*)@)?(.*)$/is.exec(value) ?? [];
  try {
    return rest !== '' && !rest.includes('@') && decodeURIComponent(account ?? '') !== undefined;
  } catch {
    return false;
  }
};
const inPassword = 'In a password @ is written %40, / %2F, ? %3F, # %23 and % %25';
export const postgres = z
  .url({ protocol: /^postgres(ql)?$/ })
  .refine(isPlain)
  .describe(`an address such as postgresql://user:password@host:5432/name. ${inPassword}`);
export const redis = z
  .url({ protocol: /^rediss?$/ })
  .refine(isPlain)
  .describe(`an address such as redis://host:6379 or rediss://user:password@host:6379. ${inPassword}`);
export const json = z
  .string()
  .transform((value, context): unknown => {
    try {
      return JSON.parse(value) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' });
      return z.NEVER;
    }
  })
  .describe('JSON');
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

/**
 * A value as it may be printed. User names, passwords and queries of addresses are masked: all up to the last
 * `@`, because a password that is not written as it should be may contain anything.
 */
export function masked(value: string): string {
  if (!/:\/\/|@/.test(value)) return value;
  const [, scheme = '', account = '', rest = ''] = /^([a-z0-9+.-]+:\/\/)?(.*@)?(.*)$/is.exec(value) ?? [];
  return `${scheme}${account && `${MASK}@`}${rest.replace(/[?#].*$/s, `?${MASK}`)}`;
}

export const MASK = '••••••';

/** What a schema accepts, in words; undefined if nothing in it says so. */
export function allowedBy(schema: z.core.$ZodType): string | undefined {
  const { description } = z.globalRegistry.get(schema) ?? {};
  if (description) return description;
  const { in: first, innerType } = schema._zod.def as { in?: z.core.$ZodType; innerType?: z.core.$ZodType };
  const inner = first ?? innerType;
  return inner && allowedBy(inner);
}

export function setting<T>(
  schema: z.ZodType<T>,
  fallback: string,
  description: string,
  secret = false,
): Setting<T> {
  return { description, schema, default: fallback, secret };
}

export function optional<T>(
  schema: z.ZodType<T>,
  description: string,
  secret = false,
): Setting<T | undefined> {
  return { description, schema: schema.optional(), default: undefined, secret };
}
