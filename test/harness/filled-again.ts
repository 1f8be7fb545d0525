import type pg from 'pg';
import { pino } from 'pino';
import { expect } from 'vitest';
import { loadConfig } from '../../src/config.js';
import type { importLocks } from '../../src/ingest/batch.js';
import { inImportTransaction } from '../../src/ingest/batch.js';
import { migrate } from '../../src/storage/migrate.js';
import { openStorage, type Storage } from '../../src/storage/open.js';
import type { Batch } from '../../src/storage/session.js';
import { connectTo } from './connections.js';
import { createDatabase } from './database.js';

const log = pino({ level: 'silent' });

/** A database with the sample, from which a table that imports fill can be taken so that its migrations fill it again. */
export interface FilledDatabase {
  client: pg.Client;
  storage: Storage;
  /** Takes the database back to before the migrations. */
  forget: () => Promise<void>;
  /** Runs the migrations; the names of those that ran. */
  migrate: () => Promise<string[]>;
  /** Runs them while an import of `locked` writes, for which they wait; the names of those that ran. */
  migrateBeside: (locked: typeof importLocks, write: (batch: Batch) => Promise<unknown>) => Promise<string[]>;
  close: () => Promise<void>;
}

/**
 * @param names the migrations that make and fill the table
 * @param drops SQL that undoes what they made
 */
export async function openFilled(names: readonly string[], drops: string): Promise<FilledDatabase> {
  const database = await createDatabase({ sample: true });
  const client = await connectTo(database.url);
  const storage = await openStorage(loadConfig({ DATABASE_URL: database.url }), log);
  const run = () => migrate({ connectionString: database.url }, { log });
  return {
    client,
    storage,
    async forget() {
      await client.query(drops);
      await client.query('DELETE FROM _prisma_migrations WHERE migration_name = ANY($1)', [names]);
    },
    migrate: run,
    async migrateBeside(locked, write) {
      let migrated: Promise<string[]> | undefined;
      await storage.session((session) =>
        inImportTransaction(session, locked, async (batch) => {
          migrated = run();
          while ((await client.query(waits)).rowCount === 0);
          // Readers go on meanwhile.
          expect((await client.query('SELECT 1 FROM transaction LIMIT 1')).rowCount).toBe(1);
          expect((await client.query('SELECT 1 FROM utxo LIMIT 1')).rowCount).toBe(1);
          await write(batch);
        }),
      );
      return (await migrated) ?? [];
    },
    async close() {
      await storage.close();
      await client.end();
      await database.drop();
    },
  };
}

const waits = `SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
  WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted`;
