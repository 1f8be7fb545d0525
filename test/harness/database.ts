import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { copyDatabase, runOn } from './citus.js';

/** A database of the test server. */
export interface TestDatabase {
  url: string;
  drop: () => Promise<void>;
}

/**
 * A fresh migrated database, or with `{ migrated: false }` an empty one, which is on one server even where the others are on
 * Citus. Files that run in parallel do not meet.
 */
export async function createDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const { url: serverUrl, template, workers } = inject('testServer');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const servers = migrated ? [...workers, serverUrl] : [serverUrl];
  for (const server of servers) await copyDatabase(server, name, migrated ? template : 'template0');
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      for (const server of servers.toReversed())
        await runOn(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}
