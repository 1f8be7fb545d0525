import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { inject } from 'vitest';
import { loadSample } from '../../src/load-sample.js';
import type { Storage } from '../../src/storage/open.js';
import { copyDatabase, runOn } from './citus.js';
import { connectTo, createPool, storageOn } from './connections.js';

/** A database of the test server. */
export interface TestDatabase {
  url: string;
  drop: () => Promise<void>;
}

/** Rows that several files need in their databases: imported once in a run and then copied. */
export interface Filling {
  /** Small letters: it is part of a database's name. */
  name: string;
  fill: (storage: Storage) => Promise<unknown>;
}

const sampleFilling: Filling = {
  name: 'sample',
  fill: (storage) => loadSample(storage, pino({ level: 'warn' })),
};

/** The contents of a new database. */
interface TestDatabaseOptions {
  /** Whether it has the tables; if not, it is on one server even if the others are on Citus. */
  migrated?: boolean;
  /** Whether it has the sample, as `loadSample` leaves it. */
  sample?: boolean;
  /** What it has instead. */
  filling?: Filling;
}

/** A new database. Files that run in parallel do not share it. */
export async function createDatabase({
  migrated = true,
  sample = false,
  filling = sample ? sampleFilling : undefined,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { url: serverUrl, template, workers } = inject('testServer');
  // On Citus the workers' databases would have to be copied too, and theirs knows the coordinator by name.
  const copied = workers.length === 0 ? filling : undefined;
  const source = copied ? await templateWith(copied, serverUrl, template) : template;
  const name = `test_${randomBytes(6).toString('hex')}`;
  const servers = migrated ? [...workers, serverUrl] : [serverUrl];
  for (const server of servers) await copyDatabase(server, name, migrated ? source : 'template0');
  const url = urlOf(serverUrl, name);
  if (filling && !copied) await take(filling, url);
  return {
    url,
    async drop() {
      for (const server of servers.toReversed())
        await runOn(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/**
 * A template of the run with these contents: made by the first file that needs it, then copied like the empty
 * one.
 */
async function templateWith(filling: Filling, serverUrl: string, template: string): Promise<string> {
  const name = `${template}_${filling.name}`;
  const client = await connectTo(serverUrl);
  try {
    // Until the connection ends, so that other files wait meanwhile.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) {
      const unfinished = `${name}_unfinished`;
      await runOn(serverUrl, `DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
      await copyDatabase(serverUrl, unfinished, template);
      await take(filling, urlOf(serverUrl, unfinished));
      await runOn(serverUrl, `ALTER DATABASE ${unfinished} RENAME TO ${name}`);
    }
  } finally {
    await client.end();
  }
  return name;
}

async function take({ fill }: Filling, url: string): Promise<void> {
  // A follower has a session for each chain.
  const pool = createPool(url, 16);
  await fill(storageOn(pool));
  await pool.end();
}

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
