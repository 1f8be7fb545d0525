import type pg from 'pg';
import { codeOf } from './errors.js';

/** A hot read: fixed SQL under a fixed name, so that each connection parses and plans it once. */
export interface Statement {
  /** Unique among all statements; pg refuses one name with two texts. */
  name: string;
  text: string;
}

// 0A000: the schema changed under a named statement ("cached plan must not change result type").
// 26000: a proxy or DISCARD ALL threw the statement away.
const staleStatement = new Set(['0A000', '26000']);

/**
 * Runs a named prepared statement on the pool.
 *
 * @throws what pg throws; see isUnavailable in errors.ts
 */
export async function read<Row extends object>(
  pool: pg.Pool,
  { name, text }: Statement,
  values: unknown[],
): Promise<Row[]> {
  try {
    return (await pool.query<Row>({ name, text, values })).rows;
  } catch (error) {
    if (!staleStatement.has(codeOf(error))) throw error;
    // pool.query has dropped that connection. Any other may hold the same stale plan, therefore without the name.
    return (await pool.query<Row>(text, values)).rows;
  }
}
