import { createHash } from 'node:crypto';
import type { Statement } from './read.js';

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

/** PostgreSQL cuts longer names, in bytes. */
const LONGEST_NAME = 63;

/** A statement's name that PostgreSQL takes as it is: the end of a longer one is told by its hash. */
export function fittingName(name: string): string {
  if (Buffer.byteLength(name) <= LONGEST_NAME) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return `${name.slice(0, LONGEST_NAME - digest.length - 1)}_${digest}`;
}

/** Compiles SQL as `statement` does; that no other text has the name is for the caller to see to. */
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
