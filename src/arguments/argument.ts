import { Problems } from '../errors.js';

/** JSON Schema of an argument, for OpenAPI. */
export type ArgumentSchema = Readonly<Record<string, unknown>>;

/** Values of the arguments that were read before; undefined for a wrong one. */
export type EarlierValues = Readonly<Record<string, unknown>>;

/**
 * An argument of a field and the parameter of REST that is the same: how both are described and read. Its name is
 * the key under which it is declared.
 */
export interface Argument<T> {
  /** Its type in GraphQL. */
  type: string | readonly [string];
  description: string;
  /** What only REST says of it, after the description. */
  note?: string;
  /** What to take in its place in GraphQL. REST has the publication's parameters, none of which is deprecated. */
  deprecated?: string;
  /** JSON Schema of its text in a path or a query string; for a member of a body, of its value. */
  schema: ArgumentSchema;
  /** A value that works on the sample. */
  example?: unknown;
  /** What stands for a value that is not given; both schemas tell it. */
  default?: unknown;
  /** Whether it may be left out, though it has no default. */
  optional?: boolean;
  /** Whether a list shows less where it is given: see narrowing. */
  narrows?: true;
  /** Whether an empty text in a query string stands for leaving it out, though it has no default. */
  mayBeEmpty?: boolean;
  /**
   * Reads the value as GraphQL hands it out.
   *
   * @throws AppError BAD_USER_INPUT that names the argument, the value and what is allowed
   */
  read: (name: string, value: unknown, earlier: EarlierValues) => T;
}

export type Arguments = Readonly<Record<string, Argument<unknown>>>;
/** What arguments mean, by name. */
export type ArgumentValues<A extends Arguments> = {
  [K in keyof A]: A[K] extends Argument<infer T> ? T : never;
};

/** The argument as one that may be left out; null stands for that too. */
export function optional<T>(argument: Argument<T>): Argument<T | null> {
  return {
    ...argument,
    optional: true,
    read: (name, value, earlier) =>
      value === undefined || value === null ? null : argument.read(name, value, earlier),
  };
}

/**
 * Arguments by which a list is narrowed: without one of them it may show more, never less. Each list over them has to say what
 * it makes of each of them (`filters` of a list's declaration); one that leaves any out does not compile.
 */
export function narrowing<A extends Arguments>(declared: A): { [K in keyof A]: A[K] & { narrows: true } } {
  const marked = Object.entries(declared).map(([name, argument]) => [name, { ...argument, narrows: true }]);
  return Object.fromEntries(marked) as { [K in keyof A]: A[K] & { narrows: true } };
}

/** Names of those among arguments that narrow. */
export type Narrowing<A extends Arguments> = {
  [K in keyof A & string]: A[K] extends { narrows: true } ? K : never;
}[keyof A & string];

/**
 * Reads one argument; its default takes the place of null.
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
 * @param known values that are known without being given
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

/**
 * Whether arguments ask for nothing: one of them is an empty list, which no row is of. A list that is left out, and so no
 * filter, is null.
 */
export function askForNothing(values: Readonly<Record<string, unknown>>): boolean {
  // Each page and each row's list asks this: no array of the values is made.
  for (const name in values) {
    const value = values[name];
    if (Array.isArray(value) && value.length === 0) return true;
  }
  return false;
}
