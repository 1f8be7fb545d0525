import type pg from 'pg';

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
  statement: Statement,
  values: unknown[],
): Promise<Row[]> {
  const client = await pool.connect();
  try {
    const result = await client.query<Row>({ name: statement.name, text: statement.text, values });
    client.release();
    return result.rows;
  } catch (error) {
    const stale = staleStatement.has((error as { code?: string }).code ?? '');
    client.release(stale || !isAnswer(error));
    if (!stale) throw error;
    // Any other idle connection may hold the same stale plan, therefore without the name.
    return (await pool.query<Row>(statement.text, values)).rows;
  }
}

/** Whether PostgreSQL itself answered with this error, so that the connection is still in order. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR';
}
