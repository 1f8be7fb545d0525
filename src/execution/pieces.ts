import { Unsupported } from './unsupported.js';

/** SQL of the parts of a text. */
export type Pieces = string[];

/** PostgreSQL's functions take a hundred arguments. */
const MOST_ARGUMENTS = 90;

/** Selects a column of the row that is read under `alias`. */
export function column(alias: string, columns: Record<string, string>, sql: string): string {
  const known = Object.entries(columns).find(([, each]) => each === sql)?.[0];
  const name = known ?? `s${Object.keys(columns).length}`;
  columns[name] = sql;
  return `${alias}."${name}"`;
}

/** Pieces of a JSON object. */
export function object(members: [key: string, value: Pieces][]): Pieces {
  return [`'{'`, ...members.flatMap(([key, value], at) => [keyText(key, at), ...value]), `'}'`];
}

/** SQL of a member's key, with the comma before it. Names of GraphQL need no escaping. */
export function keyText(key: string, index: number): string {
  return `'${index === 0 ? '' : ','}"${key}":'`;
}

/** SQL that concatenates texts; NULL counts as empty. */
export function concat(pieces: Pieces): string {
  const merged = pieces.reduce<Pieces>((all, piece) => {
    const last = all.at(-1);
    if (last !== undefined && isLiteral(last) && isLiteral(piece))
      all[all.length - 1] = `${last.slice(0, -1)}${piece.slice(1)}`;
    else all.push(piece);
    return all;
  }, []);
  if (merged.length <= MOST_ARGUMENTS) return `concat(${merged.join(', ')})`;
  return concat([`concat(${merged.slice(0, MOST_ARGUMENTS).join(', ')})`, ...merged.slice(MOST_ARGUMENTS)]);
}

const isLiteral = (sql: string) => /^'[^']*'$/.test(sql);

/** Columns for a SELECT that must have one. */
export function atLeastOne(columns: Record<string, string>): Record<string, string> {
  return Object.keys(columns).length > 0 ? columns : { none: 'NULL' };
}

/**
 * SQL of a value, or of an array of them.
 *
 * @throws Unsupported
 */
export function literal(value: unknown): string {
  if (Array.isArray(value)) return `ARRAY[${value.map(literal).join(', ')}]`;
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint')
    return `'${value}'`;
  throw new Unsupported('a value that has no literal');
}
