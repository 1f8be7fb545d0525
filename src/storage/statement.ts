import type { Statement } from './read.js';

/** A hot read whose parameters have names. */
export interface CompiledStatement extends Statement {
  /** Names of the parameters in the order of their numbers. */
  parameters: readonly string[];
}

const statements = new Map<string, CompiledStatement>();

/**
 * Compiles SQL with named parameters (`:network`) to PostgreSQL's numbered ones; compiled once per name.
 *
 * @param build makes the text; called only for a name that was not seen before
 */
export function statement(name: string, build: () => string): CompiledStatement {
  const known = statements.get(name);
  if (known) return known;
  if (Buffer.byteLength(name) > 63) throw new RangeError(`statement name ${name} is longer than 63 bytes`);
  const parameters: string[] = [];
  const text = build().replace(/(?<!:):([a-z][A-Za-z]*)/g, (_match, parameter: string) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  });
  const compiled = { name, text, parameters };
  statements.set(name, compiled);
  return compiled;
}

/** The values of a statement's parameters in the order of their numbers; others are left out. */
export function bind(compiled: CompiledStatement, values: Readonly<Record<string, unknown>>): unknown[] {
  return compiled.parameters.map((parameter) => values[parameter]);
}
