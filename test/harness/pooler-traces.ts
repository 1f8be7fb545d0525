import pg from 'pg';
import { connectTo } from './connections.js';
import { POOL, through } from './pgbouncer.js';

/** The settings that a pooler itself makes on its server connections for its clients. */
const ofPooler = [
  'application_name',
  'client_encoding',
  'DateStyle',
  'IntervalStyle',
  'TimeZone',
  'standard_conforming_strings',
];

/**
 * What clients have left on the server connections of a pooler's database, where the next client would find
 * it: settings, locks, temporary tables, channels, cursors. Every connection is borrowed at the same time, so
 * that none is missed.
 *
 * @param port of the pooler
 */
export async function tracesBehind(port: number, databaseUrl: string): Promise<string[]> {
  const url = through(port, databaseUrl);
  const clients = await Promise.all(Array.from({ length: POOL }, () => connectTo(url)));
  try {
    // Each keeps the server connection of its transaction until the end of that.
    for (const client of clients) await client.query('BEGIN');
    const found = await Promise.all(clients.map(tracesOn));
    const pids = new Set(found.map(({ pid }) => pid));
    if (pids.size !== POOL) throw new Error(`${pids.size} server connections were looked at, not ${POOL}`);
    return found.flatMap(({ traces }) => traces);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

/** Gives the role of a database's address a statement_timeout, because the pooler passes none on. */
export async function limitStatements(databaseUrl: string, milliseconds: string | number): Promise<void> {
  const { username, pathname } = new URL(databaseUrl);
  const [role, database] = [decodeURIComponent(username), pathname.slice(1)].map(pg.escapeIdentifier);
  const client = await connectTo(databaseUrl);
  await client.query(`ALTER ROLE ${role} IN DATABASE ${database} SET statement_timeout = ${milliseconds}`);
  await client.end();
}

/** Ends the server connections of a pooler's database, which keep what the role had before. */
export async function reconnect(port: number, databaseUrl: string): Promise<void> {
  const url = new URL(through(port, databaseUrl));
  const name = url.pathname.slice(1);
  url.pathname = '/pgbouncer';
  const client = await connectTo(url.href);
  await client.query(`RECONNECT ${name}`);
  await client.end();
}

async function tracesOn(client: pg.Client): Promise<{ pid: number; traces: string[] }> {
  const { rows } = await client.query<{ pid: number; traces: string[] }>(
    `SELECT pg_backend_pid() AS pid, ARRAY(
       SELECT 'setting ' || name || ' = ' || setting FROM pg_settings
        WHERE source = 'session' AND name <> ALL($1)
       UNION ALL
       SELECT 'lock ' || classid || ' ' || objid FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()
       UNION ALL
       SELECT 'table ' || relname FROM pg_class WHERE relnamespace = pg_my_temp_schema()
       UNION ALL
       SELECT 'channel ' || channel FROM pg_listening_channels() channel
       UNION ALL
       SELECT 'cursor ' || name FROM pg_cursors WHERE is_holdable
       UNION ALL
       SELECT 'statement ' || name FROM pg_prepared_statements WHERE name NOT LIKE 'PGBOUNCER\\_%'
     ) AS traces`,
    [ofPooler],
  );
  return rows[0]!;
}
