import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';

/** What tells this installation from every other; page-token keys are derived from it. */
export interface Installation {
  /** A UUID. */
  id: string;
  /** 32 random bytes; never shown. */
  secret: Buffer;
}

/** The installation's identity, made when it is first asked for; processes that start together agree on it. */
export async function loadInstallation(pool: pg.Pool): Promise<Installation> {
  const known = await find(pool);
  if (known) return known;
  await pool.query('INSERT INTO installation (id, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    randomUUID(),
    randomBytes(32),
  ]);
  const made = await find(pool);
  if (!made) throw new Error('the installation row vanished while it was made');
  return made;
}

async function find(pool: pg.Pool): Promise<Installation | undefined> {
  const { rows } = await pool.query<Installation>('SELECT id, secret FROM installation');
  return rows[0];
}
