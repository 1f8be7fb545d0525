import type { Connection } from '../storage/session.js';

/** Rows that are fetched at a time. */
const PAGE = 1000;

/**
 * The rows of a statement, with one page at a time in memory; inside a transaction, one statement under a
 * name at a time.
 */
export async function* rowsOf<Row extends object>(
  connection: Connection,
  name: string,
  select: string,
): AsyncGenerator<Row> {
  const cursor = `verify_${name}`;
  await connection.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${select}`);
  for (;;) {
    const { rows } = await connection.query<Row>(`FETCH ${PAGE} FROM ${cursor}`);
    if (rows.length === 0) break;
    yield* rows;
  }
  await connection.query(`CLOSE ${cursor}`);
}
