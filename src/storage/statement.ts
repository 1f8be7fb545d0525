import { createHash } from 'node:crypto';

/** A hot read: fixed SQL under a fixed name, so that each connection parses and plans it once. */
export interface Statement {
  /** Unique among all statements; pg refuses one name with two texts. */
  name: string;
  text: string;
}

/** A hot read whose parameters have names. */
export interface CompiledStatement extends Statement {
  /** Names of the parameters in the order of their numbers. */
  parameters: readonly string[];
}

const statements = new Map<string, CompiledStatement>();

/**
 * Compiles SQL with named parameters (`:network`) to PostgreSQL's numbered ones.
 *
 * @throws Error when another text has the name
 */
export function statement(name: string, sql: string): CompiledStatement {
  const known = statements.get(name);
  const compiled = compile(name, sql);
  if (known && known.text !== compiled.text) throw new Error(`two statements are called ${name}`);
  statements.set(name, compiled);
  return compiled;
}

/**
 * The first part of the names of statements made from clients' documents, from ours, and for writes: a hash
 * of the text follows.
 */
const BEGINNINGS = { client: 'operation:', own: 'document:', write: 'write:' } as const;

/** A hot read whose text is made from a GraphQL document. @param of whose document it is */
export function documentStatement(of: keyof typeof BEGINNINGS, text: string): Statement {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return { name: `${BEGINNINGS[of]}${digest}`, text };
}

/** Whether a statement's text is made from a client's document; there is no end of these. */
export function isOfClient(name: string): boolean {
  return name.startsWith(BEGINNINGS.client);
}

/** PostgreSQL cuts longer names, in bytes. */
const LONGEST_NAME = 63;

/** A statement's name that PostgreSQL does not cut: the end of a longer one is replaced by a hash. */
export function fittingName(name: string): string {
  if (Buffer.byteLength(name) <= LONGEST_NAME) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return `${name.slice(0, LONGEST_NAME - digest.length - 1)}_${digest}`;
}

/** Compiles SQL as `statement` does; the caller makes sure that no other text has the name. */
export function compile(name: string, sql: string): CompiledStatement {
  if (Buffer.byteLength(name) > LONGEST_NAME)
    throw new RangeError(`statement name ${name} is longer than ${LONGEST_NAME} bytes`);
  const parameters: string[] = [];
  const text = sql.replace(/(?<!:):([a-z][A-Za-z]*)/g, (_match, parameter: string) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  });
  return { name, text, parameters };
}

/**
 * The values of a statement's parameters in the order of their numbers; others are left out.
 *
 * @throws TypeError when a parameter has no value: null is one, and pg would send it for undefined too
 */
export function bind(
  { name, parameters }: CompiledStatement,
  values: Readonly<Record<string, unknown>>,
): unknown[] {
  return parameters.map((parameter) => {
    const value = values[parameter];
    if (value === undefined) throw new TypeError(`${name}: the parameter ${parameter} has no value`);
    return value;
  });
}
