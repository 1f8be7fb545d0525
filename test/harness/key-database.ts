import { pino } from 'pino';
import { createKeyStore, type KeyStore, type NewApiKey } from '../../src/access/key-store.js';
import { loadConfig } from '../../src/config.js';
import { openStorage, type Storage } from '../../src/storage/open.js';
import { createDatabase } from './database.js';
import { captureLog, type CapturedLog } from './log.js';

/** A database of keys, without a gateway. */
export interface KeyDatabase {
  storage: Storage;
  captured: CapturedLog;
  /** Present time, milliseconds; set it to move the clock. */
  clock: { now: number };
  now: () => number;
  /** The keys as a separate process has them. */
  open: () => KeyStore;
  close: () => Promise<void>;
}

export async function createKeyDatabase(): Promise<KeyDatabase> {
  const database = await createDatabase();
  const storage = await openStorage(loadConfig({ DATABASE_URL: database.url }), pino({ level: 'silent' }));
  const captured = captureLog();
  const clock = { now: Date.parse('2026-11-20T12:00:00Z') };
  const now = () => clock.now;
  return {
    storage,
    captured,
    clock,
    now,
    open: () => createKeyStore(storage.prisma, { log: captured.log, now }),
    async close() {
      await storage.close();
      await database.drop();
    },
  };
}

/** Makes a key in a store. */
export const makeIn = (keys: KeyStore, input: Partial<NewApiKey> = {}) =>
  keys.create({ name: 'test', plan: 'free', rights: null, expiresAt: null, ...input });
