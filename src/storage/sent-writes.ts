import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { copyText, type CopyValue } from './copy.js';
import type { Connection } from './session.js';
import { documentStatement } from './statement.js';

/**
 * Most rows that are added by INSERT. A COPY waits twice for the server and is not prepared; with more rows
 * it costs less than as many parameters.
 */
export const FEW_ROWS = 16;

/** Longest text, and most characters of values, of a statement that is prepared. */
const [LONGEST_TEXT, MOST_VALUES] = [4096, 4096];

/**
 * A statement of a write, as it is sent: prepared, unless its text or its values are long. A batch of
 * thousands of rows is planned for its own number of rows.
 */
export function namedWrite(
  ...[text, values]: Parameters<Connection['query']>
): Exclude<Parameters<Connection['query']>[0], string> {
  const config = { ...(typeof text === 'string' ? { text } : text), ...(values && { values }) };
  const isPrepared =
    config.values && config.text.length <= LONGEST_TEXT && sizeOf(config.values) <= MOST_VALUES;
  return isPrepared ? { ...documentStatement('write', config.text), ...config } : config;
}

/** The characters of values, about. */
function sizeOf(values: readonly unknown[]): number {
  let characters = 0;
  for (const value of values) {
    if (typeof value === 'string') characters += value.length;
    else if (Array.isArray(value)) characters += sizeOf(value);
    characters += 8;
  }
  return characters;
}

/** INSERT of so many rows, whose values are its parameters. */
export function insertText(table: string, columns: readonly string[], rows: number): string {
  const tuple = (row: number) => columns.map((_, index) => `$${row * columns.length + index + 1}`).join(', ');
  const tuples = Array.from({ length: rows }, (_, row) => `(${tuple(row)})`);
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${tuples.join(', ')}`;
}

/** Adds rows with COPY, on a connection on which nothing is under way. */
export async function copyIn(
  client: pg.ClientBase,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly CopyValue[]>,
): Promise<void> {
  const target = client.query(copyFrom(`COPY ${table} (${columns.join(', ')}) FROM STDIN`));
  await pipeline(Readable.from(copyText(rows)), target);
}
