import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { inject } from 'vitest';
import { loadSample } from '../../src/load-sample.js';
import { copyDatabase, runOn } from './citus.js';
import { connectTo, createPool, storageOn } from './connections.js';

/** A database of the test server. */
export interface TestDatabase {
  url: string;
  drop: () => Promise<void>;
}

/** What a new database holds. */
interface TestDatabaseOptions {
  /** Whether it has the tables; if not, it is on one server even where the others are on Citus. */
  migrated?: boolean;
  /** Whether the sample is in it, as `loadSample` leaves it. */
  sample?: boolean;
}

/** A fresh database. Files that run in parallel do not meet. */
export async function createDatabase({
  migrated = true,
  sample = false,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { url: serverUrl, template, sampleTemplate, workers } = inject('testServer');
  // On Citus the workers' databases would have to be copied too, and theirs knows the coordinator by name.
  const copiesSample = sample && workers.length === 0;
  const source = copiesSample ? await templateWithSample(serverUrl, template, sampleTemplate) : template;
  const name = `test_${randomBytes(6).toString('hex')}`;
  const servers = migrated ? [...workers, serverUrl] : [serverUrl];
  for (const server of servers) await copyDatabase(server, name, migrated ? source : 'template0');
  const url = urlOf(serverUrl, name);
  if (sample && !copiesSample) await fill(url);
  return {
    url,
    async drop() {
      for (const server of servers.toReversed())
        await runOn(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** The template of the run with the sample in it: made by the first file that asks, then copied like the other. */
async function templateWithSample(serverUrl: string, template: string, name: string): Promise<string> {
  const client = await connectTo(serverUrl);
  try {
    // Until the connection ends: other files wait meanwhile.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) {
      const unfinished = `${name}_unfinished`;
      await runOn(serverUrl, `DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
      await copyDatabase(serverUrl, unfinished, template);
      await fill(urlOf(serverUrl, unfinished));
      await runOn(serverUrl, `ALTER DATABASE ${unfinished} RENAME TO ${name}`);
    }
  } finally {
    await client.end();
  }
  return name;
}

async function fill(url: string): Promise<void> {
  const pool = createPool(url, 2);
  await loadSample(storageOn(pool), pino({ level: 'warn' }));
  await pool.end();
}

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
