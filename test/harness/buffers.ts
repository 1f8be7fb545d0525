import pg from 'pg';
import { markAtText, rowText } from '../../src/paging/position.js';
import type { Storage } from '../../src/storage/open.js';
import type { Statement } from '../../src/storage/statement.js';
import { bind, type CompiledStatement } from '../../src/storage/statement.js';
import { holdConnection } from './connections.js';

/** What a statement read. */
export interface Touched {
  /** Blocks of 8 kB, cached or not. */
  buffers: number;
  rows: number;
  /** Names of the indexes that the plan reads, sorted. */
  indexes: string[];
}

/** The generic plan, which a connection comes to use, or one made for the given parameters. */
export type PlanKind = 'generic' | 'custom';

/** Runs a statement and returns what it read. */
export async function touchedBy(
  storage: Storage,
  statement: CompiledStatement,
  values: Readonly<Record<string, unknown>>,
): Promise<Touched> {
  return touchedByBound(storage, { statement, values: bind(statement, values) }, 'generic');
}

/** What the one statement touches that `work` reads with. */
type Measure = (work: (storage: Storage) => Promise<unknown>, plan: PlanKind) => Promise<Touched>;

/**
 * What the one statement touches that `work` reads with, which is given a storage where all reads come back
 * empty. A cursor of it is the id of a row, not its place: the mark is made, but not compared.
 */
export async function touchedByReading(
  storage: Storage,
  work: (storage: Storage) => Promise<unknown>,
  plan: PlanKind,
): Promise<Touched> {
  return touchedByBound(storage, await boundBy(storage, work), plan);
}

/** What all statements touch that `work` reads with at once, together. */
export async function touchedByAllOf(
  storage: Storage,
  work: (storage: Storage) => Promise<unknown>,
  plan: PlanKind,
): Promise<Touched> {
  const all: Touched[] = [];
  for (const bound of await allBoundBy(storage, work)) all.push(await touchedByBound(storage, bound, plan));
  const sum = (name: 'buffers' | 'rows') => all.reduce((sum, each) => sum + each[name], 0);
  const indexes = [...new Set(all.flatMap((each) => each.indexes))].sort();
  return { buffers: sum('buffers'), rows: sum('rows'), indexes };
}

/** The same of many statements, on one connection. */
export async function measuring<T>(storage: Storage, task: (measure: Measure) => Promise<T>): Promise<T> {
  const client = await holdConnection(storage);
  try {
    return await task(async (work, plan) => touchedOn(client, await boundBy(storage, work), plan));
  } finally {
    client.release(true);
  }
}

async function boundBy(storage: Storage, work: (storage: Storage) => Promise<unknown>): Promise<Bound> {
  const [first, ...more] = await allBoundBy(storage, work);
  if (!first || more.length > 0)
    throw new Error(`${first ? more.length + 1 : 0} statements were read instead of one`);
  return first;
}

async function allBoundBy(storage: Storage, work: (storage: Storage) => Promise<unknown>): Promise<Bound[]> {
  const reads: Bound[] = [];
  const read = (statement: Statement, values: unknown[]) => {
    reads.push({ statement: { ...statement, text: byRow(statement.text) }, values });
    return Promise.resolve([]);
  };
  await work(Object.create(storage, { read: { value: read } }) as Storage);
  return reads;
}

/** Matches a function's SQL with any place in it. */
const anyOf = (sql: (position: string) => string) =>
  new RegExp(
    sql('@')
      .replace(/[()|&$*+.]/g, String.raw`\$&`)
      .replace('@', String.raw`([\w.$]+(?:::\w+)?)`),
    'g',
  );

function byRow(text: string): string {
  return text
    .replace(
      anyOf((position) => `= ${markAtText(position)}`),
      'IS NOT NULL',
    )
    .replace(anyOf(rowText), '$1');
}

interface Bound {
  statement: Statement;
  values: unknown[];
}

async function touchedByBound(storage: Storage, bound: Bound, plan: PlanKind): Promise<Touched> {
  const client = await holdConnection(storage);
  try {
    return await touchedOn(client, bound, plan);
  } finally {
    client.release(true);
  }
}

async function touchedOn(
  client: pg.ClientBase,
  { statement, values }: Bound,
  plan: PlanKind,
): Promise<Touched> {
  await client.query(`SET plan_cache_mode = force_${plan}_plan`);
  // EXPLAIN of a text with bound parameters plans for their values whatever the setting says: only the plan
  // of a prepared statement follows it.
  await client.query(`PREPARE measured AS ${statement.text}`);
  const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE measured${argumentsOf(values)}`;
  // The first execution on a connection also reads PostgreSQL's catalog of types and functions.
  await client.query(explain);
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain);
  await client.query('DEALLOCATE measured');
  const root = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
  return {
    buffers: (root['Shared Hit Blocks'] ?? NaN) + (root['Shared Read Blocks'] ?? NaN),
    rows: root['Actual Rows'] ?? NaN,
    indexes: [...new Set(indexesOf(root))].sort(),
  };
}

interface PlanNode {
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  'Actual Rows'?: number;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

function indexesOf({ 'Index Name': name, Plans: below = [] }: PlanNode): string[] {
  return [...(name === undefined ? [] : [name]), ...below.flatMap(indexesOf)];
}

// EXECUTE takes no bound parameters.
function argumentsOf(values: readonly unknown[]): string {
  return values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.map(element).join(',')}}` : textOf(value));
}

function element(value: unknown): string {
  return value === null ? 'NULL' : `"${textOf(value).replace(/["\\]/g, '\\$&')}"`;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  throw new TypeError(`a parameter of type ${typeof value} cannot be written into a statement`);
}
