/** A fixed SQL text that PostgreSQL parses and plans once per connection under its name. */
export interface Statement {
  /** At most 63 bytes, unique to the text. */
  name: string;
  text: string;
  /** Names of the parameters in the order of their numbers. */
  parameters: readonly string[];
}

const statements = new Map<string, Statement>();

/**
 * Compiles SQL with named parameters (`:network`) to PostgreSQL's numbered ones; compiled once per name.
 *
 * @param build makes the text; called only for a name that was not seen before
 */
export function statement(name: string, build: () => string): Statement {
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
export function bind(compiled: Statement, values: Readonly<Record<string, unknown>>): unknown[] {
  return compiled.parameters.map((parameter) => values[parameter]);
}
