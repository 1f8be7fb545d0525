import type pg from 'pg';
import { expect } from 'vitest';
import { SteadyClient } from '../../src/storage/steady-client.js';
import type { TestApp } from './app.js';

/** What countStatements saw. */
export interface Counted<T> {
  result: T;
  /** The texts sent, in order. */
  statements: string[];
  /** The names of those that have one. */
  names: string[];
}

export interface CountOptions {
  /** Count BEGIN, COMMIT, ROLLBACK and SAVEPOINT too. */
  transactions?: boolean;
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

/** Runs `work` and returns the SQL statements that this process sent meanwhile, on any connection. */
export async function countStatements<T>(
  work: () => Promise<T>,
  { transactions = false }: CountOptions = {},
): Promise<Counted<T>> {
  const statements: string[] = [];
  const names: string[] = [];
  const prototype = SteadyClient.prototype as unknown as { query: Query };
  const original = prototype.query;
  prototype.query = function (...args) {
    const [first] = args;
    const text = typeof first === 'string' ? first : ((first as { text?: string } | undefined)?.text ?? '');
    // Messages without a text close statements (src/storage/prepared-statements.ts).
    if (text === '') return original.apply(this, args);
    if (transactions || !/^\s*(begin|commit|rollback|savepoint|release)\b/i.test(text)) statements.push(text);
    const name = (first as { name?: string } | undefined)?.name;
    if (name) names.push(name);
    return original.apply(this, args);
  };
  try {
    return { result: await work(), statements, names };
  } finally {
    prototype.query = original;
  }
}

/** Expects that a query is answered with so many statements, and returns its data. */
export async function expectStatements<Data = Record<string, unknown>>(
  gateway: TestApp,
  query: string,
  count: number,
): Promise<Data> {
  const { result, statements } = await countStatements(() => gateway.graphql<Data>(query));
  expect(result.errors).toBeUndefined();
  expect(statements).toHaveLength(count);
  return result.data;
}
