import { appendFile, cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { newFolder, runPostgres, type PostgresServer } from './postgres.js';

/** A hot standby that streams from `primary` through the port. */
export async function startStandby(primary: PostgresServer, port: number): Promise<PostgresServer> {
  const folder = await newFolder();
  const cluster = join(folder, 'postgres');
  await cp(join(inject('sampleServer').folder, 'postgres'), cluster, { recursive: true });
  const { username, password } = new URL(primary.url);
  const source = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
  await appendFile(
    join(cluster, 'postgresql.conf'),
    `\nprimary_conninfo = '${source}'\nwal_retrieve_retry_interval = '200ms'\n`,
  );
  await writeFile(join(cluster, 'standby.signal'), '');
  return runPostgres(folder);
}
