import { Problems } from '../errors.js';

/** JSON Schema of an argument, for OpenAPI. */
export type ArgumentSchema = Readonly<Record<string, unknown>>;

/** Values of the arguments that were read before; undefined for a wrong one. */
export type EarlierValues = Readonly<Record<string, unknown>>;

/**
 * An argument of a field and the same parameter of REST: how both are described and read. Its name is the key
 * under which it is declared.
 */
export interface Argument<T> {
  /** Its type in GraphQL. */
  type: string | readonly [string];
  description: string;
  /** What only REST says of it, after the description. */
  note?: string;
  /** What to use instead in GraphQL. No parameter of REST is deprecated. */
  deprecated?: string;
  /** JSON Schema of its text in a path or a query string; for a member of a body, of its value. */
  schema: ArgumentSchema;
  /** A value that works on the sample. */
  example?: unknown;
  /** The value if none is given; both schemas show it. */
  default?: unknown;
  /** Whether it may be omitted although it has no default. */
  optional?: boolean;
  /** Whether it makes a list shorter: see narrowing. */
  narrows?: true;
  /** Whether an empty text in a query string means that it is omitted: clients send only paging so. */
  mayBeEmpty?: boolean;
  /** Whether a list may also be given one item at a time in a query string: clients send some so. */
  mayRepeat?: boolean;
  /**
   * Reads the value as GraphQL coerced it.
   *
   * @throws AppError BAD_USER_INPUT that names the argument, the value and what is allowed
   */
  read: (name: string, value: unknown, earlier: EarlierValues) => T;
}

export type Arguments = Readonly<Record<string, Argument<unknown>>>;
/** The values of arguments after reading, by name. */
export type ArgumentValues<A extends Arguments> = {
  [K in keyof A]: A[K] extends Argument<infer T> ? T : never;
};

/** The argument as one that may be omitted; null means the same. */
export function optional<T>(argument: Argument<T>): Argument<T | null> {
  return {
    ...argument,
    optional: true,
    read: (name, value, earlier) =>
      value === undefined || value === null ? null : argument.read(name, value, earlier),
  };
}

/**
 * Marks arguments that narrow a list: without one of them the list may have more rows, never fewer. Each list
 * that takes them has to say how it applies each (`filters` of its declaration); one that leaves any out does
 * not compile.
 */
export function narrowing<A extends Arguments>(declared: A): { [K in keyof A]: A[K] & { narrows: true } } {
  const marked = Object.entries(declared).map(([name, argument]) => [name, { ...argument, narrows: true }]);
  return Object.fromEntries(marked) as { [K in keyof A]: A[K] & { narrows: true } };
}

/** Names of the arguments that narrow. */
export type Narrowing<A extends Arguments> = {
  [K in keyof A & string]: A[K] extends { narrows: true } ? K : never;
}[keyof A & string];

/**
 * Reads one argument; its default replaces null.
 *
 * @throws as its `read`
 */
export function readArgument<T>(
  argument: Argument<T>,
  name: string,
  value: unknown,
  earlier: EarlierValues = {},
): T {
  return argument.read(name, value ?? argument.default, earlier);
}

/**
 * Reads every argument in the order in which they are declared.
 *
 * @param known values that are known and not read
 * @throws AppError BAD_USER_INPUT that names every wrong one
 */
export function readArguments<A extends Arguments>(
  declared: A,
  given: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, unknown>> = {},
): ArgumentValues<A> {
  const problems = new Problems();
  const values: Record<string, unknown> = {};
  for (const [name, argument] of Object.entries(declared))
    values[name] = Object.hasOwn(known, name)
      ? known[name]
      : problems.check(() => readArgument(argument, name, given[name], values));
  problems.throwIfAny();
  return values as ArgumentValues<A>;
}

/** Whether arguments match no row: one of them is an empty list. An omitted list is null, and no filter. */
export function matchNothing(values: Readonly<Record<string, unknown>>): boolean {
  // Called for each page and each row's list: it makes no array of the values.
  for (const name in values) {
    const value = values[name];
    if (Array.isArray(value) && value.length === 0) return true;
  }
  return false;
}
