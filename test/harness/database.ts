import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { connectTo } from './connections.js';

/** A database of the test server. */
export interface TestDatabase {
  url: string;
  drop: () => Promise<void>;
}

/** A fresh migrated database, or with `{ migrated: false }` an empty one. Files that run in parallel do not meet. */
export async function createDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const { url: serverUrl, template } = inject('testServer');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const source = migrated ? template : 'template0';
  await retryWhileInUse(() => execute(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${source}`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = await connectTo(url);
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

// 55006: autovacuum may be looking at the template.
async function retryWhileInUse(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt === 50) throw error;
      await sleep(100);
    }
  }
}
