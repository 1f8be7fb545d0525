import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { tablesForWorkers } from '../../src/resources.js';
import { openPool } from '../../src/storage/connection.js';
import { readTables } from '../../src/storage/topology/citus.js';
import { moveTables } from '../../src/storage/topology/distribute.js';
import { withSession } from '../../src/storage/borrowed-connections.js';
import { connectTo } from './connections.js';

/**
 * A run on Citus: TEST_DATABASE_URL names a coordinator, TEST_WORKERS its workers as host:port, separated by
 * commas. Every migrated database of a test then exists on each of these servers under one name, copied there
 * from a template on which `moraine distribute` was run.
 *
 * @returns the URLs of the workers' servers; none without the setting
 */
export function workersOf(serverUrl: string): string[] {
  const given = process.env['TEST_WORKERS'] ?? '';
  return given.split(',').flatMap((address) => {
    if (address.trim() === '') return [];
    const url = new URL(serverUrl);
    url.host = address.trim();
    return [url.href];
  });
}

/**
 * Makes a database of Citus from the databases of one name: this one is the coordinator, those of the workers
 * are its workers.
 */
export async function joinWorkers(databaseUrl: string, workers: readonly string[]): Promise<void> {
  const { host, hostname, port, pathname } = new URL(databaseUrl);
  for (const worker of workers) {
    const url = new URL(worker);
    await runOn(url.href, `CREATE DATABASE ${pathname.slice(1)}`);
    url.pathname = pathname;
    await runOn(url.href, 'CREATE EXTENSION citus');
  }
  if (workers.length === 0 || !host) return;
  await runOn(databaseUrl, 'CREATE EXTENSION citus');
  await runOn(databaseUrl, `SELECT citus_set_coordinator_host('${hostname}', ${port})`);
  for (const worker of workers) {
    const each = new URL(worker);
    await runOn(databaseUrl, `SELECT citus_add_node('${each.hostname}', ${each.port})`);
  }
}

/** Moves the tables of a migrated database as `moraine distribute` does. */
export async function distributeIn(databaseUrl: string): Promise<void> {
  const log = pino({ level: 'warn' });
  const bounds = { max: 1, connectionTimeoutMillis: 30_000, statementTimeoutMillis: 60_000 };
  const { pool, close } = openPool({ connectionString: databaseUrl }, { ...bounds, log });
  await withSession(pool, async (session) => {
    for (const names of tablesForWorkers)
      await moveTables(session, await readTables(session, names), () => undefined);
  });
  await close();
}

/** Copies a database on a server; what Citus runs in the source is ended. */
export async function copyDatabase(serverUrl: string, name: string, source: string): Promise<void> {
  const client = await connectTo(serverUrl);
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        // As files: page by page through the log takes three times the processor time.
        await client.query(`CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY file_copy`);
        return;
      } catch (error) {
        // 55006: autovacuum, or what Citus runs, may be reading the template.
        if ((error as { code?: string }).code !== '55006' || attempt === 50) throw error;
        await client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name ILIKE 'citus%'`,
          [source],
        );
        await sleep(100);
      }
    }
  } finally {
    await client.end();
  }
}

/** Runs one statement on a connection of its own. */
export async function runOn(url: string, sql: string): Promise<void> {
  const client = await connectTo(url);
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
