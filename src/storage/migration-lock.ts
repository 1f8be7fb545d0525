import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';

/**
 * The key of the lock under which migrations run, and indexes are put off and made. Prisma's own `migrate
 * deploy` takes it, so that they exclude each other.
 */
export const migrationLock = 72_707_369;

/**
 * Takes the lock for the session. Polled: a waiting pg_advisory_lock holds a snapshot, and CREATE INDEX
 * CONCURRENTLY waits for that for ever.
 */
export async function lockMigrations(client: pg.Client, log: Logger): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const { rows } = await client.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_lock(${migrationLock}) AS locked`,
    );
    if (rows[0]?.locked) return;
    if (attempt === 0) log.info('another process is migrating the database: waiting for it');
    await sleep(200);
  }
}
