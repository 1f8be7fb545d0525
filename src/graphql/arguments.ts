import type { InputFieldMap } from '@pothos/core';
import { readArguments, type Arguments, type ArgumentValues } from '../arguments/argument.js';
import { connectionLimits, parsePageArguments } from '../paging/page-request.js';
import type { PageArguments, PageLimits, PageRequest } from '../paging/page-request.js';
import type { Context } from './context.js';

/** What a trusted document's connection calls the argument `after`. */
const PAGE_TOKEN = 'pageToken';

/** Arguments as Pothos takes them. */
export function argumentRefs(t: { arg: unknown }, declared: Arguments) {
  // The reader of each argument's declaration checks its type and value.
  const arg = t.arg as (options: object) => InputFieldMap[string];
  return Object.fromEntries(
    Object.entries(declared).map(([name, { type, description, optional, deprecated, default: fallback }]) => [
      name,
      arg({
        type,
        description,
        required: !optional && fallback === undefined,
        ...(fallback !== undefined && { defaultValue: fallback }),
        ...(deprecated && { deprecationReason: deprecated }),
      }),
    ]),
  );
}

/** Pages whose sizes are not the usual ones, and what they count. */
export interface Pages {
  limits: PageLimits;
  /** Such as "points from the newest". */
  first: string;
  last: string;
}

/** Relay's paging arguments as Pothos takes them. */
export function pageRefs<Refs extends object>(
  t: { arg: { connectionArgs: () => Refs } },
  pages?: Pages,
): Refs {
  const usual = t.arg.connectionArgs();
  if (!pages) return usual;
  const { first, last, limits } = pages;
  const arg = t.arg as unknown as (options: object) => InputFieldMap[string];
  return {
    ...usual,
    first: arg({
      type: 'Int',
      description: `Number of ${first}, 0 to ${limits.max}. Default ${limits.default} if last is omitted too.`,
    }),
    last: arg({
      type: 'Int',
      description: `Number of ${last}, 0 to ${limits.max}; cannot be combined with first.`,
    }),
  };
}

/**
 * Reads the arguments of a field.
 *
 * @param known values that are not given, but follow from the parent
 * @throws AppError BAD_USER_INPUT that names every wrong one
 */
export function argumentsOf<A extends Arguments>(
  declared: A,
  args: object,
  context: Pick<Context, 'trusted'>,
  known?: Readonly<Record<string, unknown>>,
): ArgumentValues<A> {
  // The route has read its parameters; only arguments for which it has none are read here, as not given.
  if (context.trusted) return readArguments(declared, {}, { ...context.trusted.values, ...known });
  return readArguments(declared, args as Readonly<Record<string, unknown>>, known);
}

/**
 * The page that the arguments of a connection ask for; without `first` a trusted document reads the complete
 * list.
 *
 * @throws AppError BAD_USER_INPUT that names every wrong one
 */
export function pageRequest(
  args: PageArguments,
  { trusted }: Pick<Context, 'trusted'>,
  limits = connectionLimits,
): PageRequest {
  if (!trusted) return parsePageArguments(args, limits);
  const { first = null, after } = args;
  return { direction: 'forward', limit: first, after: after || null, before: null, afterName: PAGE_TOKEN };
}
