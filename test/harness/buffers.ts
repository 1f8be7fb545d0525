import type { Storage } from '../../src/storage/open.js';
import { bind, type CompiledStatement } from '../../src/storage/statement.js';

/** What a statement touched. */
export interface Touched {
  /** Blocks of 8 kB, in memory or not. */
  buffers: number;
  rows: number;
}

/** Runs a statement under the plan that it comes to use for every parameter, and tells what it touched. */
export async function touchedBy(
  storage: Storage,
  statement: CompiledStatement,
  values: Readonly<Record<string, unknown>>,
): Promise<Touched> {
  const client = await storage.pool.connect();
  try {
    await client.query('SET plan_cache_mode = force_generic_plan');
    const text = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`;
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      text,
      bind(statement, values),
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
    return {
      buffers: (plan['Shared Hit Blocks'] ?? NaN) + (plan['Shared Read Blocks'] ?? NaN),
      rows: plan['Actual Rows'] ?? NaN,
    };
  } finally {
    client.release(true);
  }
}
