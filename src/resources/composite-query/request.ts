import { refuseNearSpellings } from '../../arguments/near-spelling.js';
import { AppError, badInput, Problems, quote } from '../../errors.js';
import type { HolderQuery } from '../evm-holding/holders.js';
import { subQueryTypes } from './sub-queries.js';
import type { SubQueryType } from './sub-query.js';

/** Most sub-queries of one request. */
export const MAX_SUB_QUERIES = 10;

export type Operator = 'AND' | 'OR';

/** A sub-query as a caller sent it, unchecked. */
export interface GivenSubQuery {
  id?: unknown;
  type?: unknown;
  params?: unknown;
}

/** A sub-query, resolved. */
export interface SubQuery {
  /** The caller's name for it. */
  id: string;
  type: SubQueryType;
  /** The parameters as they were sent. */
  params: Readonly<Record<string, unknown>>;
  holders: HolderQuery;
}

/**
 * Reads sub-queries (docs/contract.md, "Composite queries").
 *
 * @param given the member `queries`, whatever it is
 * @throws AppError BAD_USER_INPUT that names every wrong parameter, with the id of its sub-query
 */
export function readSubQueries(given: unknown): SubQuery[] {
  if (!Array.isArray(given)) throw badInput('queries: must be a list of sub-queries');
  if (given.length === 0)
    throw badInput(`queries: is empty; it must have 1 to ${MAX_SUB_QUERIES} sub-queries`);
  if (given.length > MAX_SUB_QUERIES)
    throw badInput(`queries: ${given.length} sub-queries are too many; at most ${MAX_SUB_QUERIES}`);
  const problems = new Problems();
  const ids = new Set<string>();
  const read = given.map((each: unknown, index) => problems.check(() => readSubQuery(each, index, ids)));
  problems.throwIfAny();
  return read.filter((each) => each !== undefined);
}

function readSubQuery(given: unknown, index: number, ids: Set<string>): SubQuery {
  if (!isObject(given)) throw badInput(`queries[${index}]: is not an object with id, type and params`);
  const { id, type: typeName, params } = given;
  const name = typeof id === 'string' && id !== '' ? `sub-query ${quote(id)}` : `queries[${index}]`;
  const problems = new Problems();
  problems.check(() => refuseNearSpellings(Object.keys(given), members, `${name}: `));
  problems.check(() => checkId(name, id, ids));
  const type = problems.check(() => readType(name, typeName));
  const holders = problems.check(() => readParams(name, type, params));
  problems.throwIfAny();
  return { id, type, params, holders } as SubQuery;
}

const members = ['id', 'type', 'params'];

function checkId(name: string, id: unknown, ids: Set<string>): void {
  if (typeof id !== 'string' || id === '') throw badInput(`${name}: id: must be a non-empty text`);
  if (ids.has(id)) throw badInput(`${name}: id: is used by several sub-queries; each needs its own`);
  ids.add(id);
}

function readType(name: string, given: unknown): SubQueryType {
  const type = subQueryTypes.find((each) => each.type === given);
  if (type) return type;
  const shown = typeof given === 'string' ? `${quote(given)} is not known` : 'is missing';
  throw badInput(
    `${name}: type: ${shown}; it must be one of ${subQueryTypes.map((each) => each.type).join(', ')}`,
  );
}

/** @param type undefined for an unknown one, whose parameters are then not checked */
function readParams(name: string, type: SubQueryType | undefined, params: unknown): HolderQuery | undefined {
  if (!isObject(params)) throw badInput(`${name}: params: must be an object`);
  if (!type) return undefined;
  const problems = new Problems();
  const read = Object.entries(type.parameters).map(([key, parameter]) => {
    const given = Object.hasOwn(params, key) ? params[key] : undefined;
    return [key, problems.check(() => parameter.read(`${name}: ${key}`, given, {}))];
  });
  problems.check(() => refuseNearSpellings(Object.keys(params), Object.keys(type.parameters), `${name}: `));
  const values = Object.fromEntries(read) as never;
  problems.check(() => within(name, () => type.check?.(values)));
  problems.throwIfAny();
  return type.resolve(values);
}

function within<T>(name: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof AppError) throw badInput(`${name}: ${error.message}`);
    throw error;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What the pages of a composite query belong to: everything that decides its result. */
export function compositeIdentity(operator: Operator, queries: readonly SubQuery[]): unknown[] {
  return [operator, distinctHolders(queries).map(({ key }) => key)];
}

/** The questions of the sub-queries, each once, in a fixed order. */
export function distinctHolders(queries: readonly SubQuery[]): HolderQuery[] {
  const byKey = new Map(queries.map(({ holders }) => [holders.key, holders]));
  return [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}
