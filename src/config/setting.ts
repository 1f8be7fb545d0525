import { availableParallelism } from 'node:os';
import { z } from 'zod';

/** One environment variable: what it means, what it may hold and what it is when it is not set. */
export interface Setting<T> {
  description: string;
  schema: z.ZodType<T>;
  /** The value as one would write it in the environment; undefined means "not set". */
  default: string | undefined;
  /** Never printed. */
  secret?: boolean;
}

export const port = z.coerce.number().int().min(0).max(65_535);
export const count = z.coerce.number().int().min(1);
/** A number of processes; `auto` is one for each core. */
export const processes = z
  .union([z.literal('auto'), count], 'must be a whole number from 1 on, or auto')
  .transform((value) => (value === 'auto' ? availableParallelism() : value));
export const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');
export const trueFalse = z.enum(['true', 'false']).transform((value) => value === 'true');
export const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));
/** An address that others are shown: a user name and password in it are left out. */
export const publishedUrl = url.transform((value) => {
  const { username, password } = new URL(value);
  return username || password ? value.replace(/\/\/[^/?#]*@/, '//') : value;
});
export const postgres = z.url({ protocol: /^postgres(ql)?$/ });
export const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue({ code: 'custom', message: 'is not JSON' });
    return z.NEVER;
  }
});
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

/** A value as it may be printed: user names, passwords and values of queries in its addresses are masked. */
export function masked(value: string): string {
  return value.replace(/(:\/\/)[^/?#\s]*@/g, `$1${MASK}@`).replace(/([?&][^=&\s]+=)[^&\s]+/g, `$1${MASK}`);
}

export const MASK = '••••••';

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
