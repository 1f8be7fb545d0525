import { pino } from 'pino';
import { migrate } from '../../../src/storage/migrate.js';
import { createPool, storageOn } from '../../harness/connections.js';
import { dumpLedger } from '../../harness/ingest.js';
import type { PostgresServer } from './postgres.js';

/** A migrated database of the server in addition to its own; its URL. */
export async function emptyDatabase(server: PostgresServer, name: string): Promise<string> {
  await server.query(`CREATE DATABASE ${name}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  await migrate({ connectionString: url.href }, { log: pino({ level: 'silent' }) });
  return url.href;
}

/** The rows of the ledger in a database. */
export async function ledgerOf(url: string): Promise<Record<string, unknown[]>> {
  const pool = createPool(url, 2);
  const rows = await dumpLedger(storageOn(pool));
  await pool.end();
  return rows;
}
