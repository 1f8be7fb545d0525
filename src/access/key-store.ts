import type { Logger } from 'pino';
import type { CacheFigures } from '../telemetry/cache-figures.js';
import { createKey, hashKey } from './key.js';
import { KeyCache } from './key-cache.js';
import { recordOf, storedRights, type ApiKeyRecord, type KeyDatabase } from './key-record.js';
import { LastUse } from './last-use.js';

export type NewApiKey = Pick<ApiKeyRecord, 'name' | 'plan' | 'rights' | 'expiresAt'>;

/** The API keys of this installation. */
export interface KeyStore {
  /** Makes a key. Its text is only in the answer and cannot be read again. */
  create(input: NewApiKey): Promise<{ key: string; record: ApiKeyRecord }>;
  /** All keys, revoked and expired ones too, oldest first. */
  list(): Promise<ApiKeyRecord[]>;
  /** Revokes a key; false: no such key, or it was revoked before. */
  revoke(id: number): Promise<boolean>;
  /**
   * The key's record, at most 4 seconds old; undefined: unknown.
   *
   * @param sender whose share of the look-ups that run at once this one counts for
   * @throws AppError SERVICE_UNAVAILABLE when there are too many; what the database throws
   */
  find(key: string, sender?: string): Promise<ApiKeyRecord | undefined>;
  /** Whether this process has found the key before, or has just found that it does not exist. */
  isSettled(key: string): boolean;
  /** The key's record as this process last read it, however long ago; undefined: unknown, or never read. */
  remembered(key: string): ApiKeyRecord | undefined;
  /** Notes that a key was used; all uses are written together at intervals. */
  noteUse(id: number): void;
  /** Of the cache of keys. */
  readonly figures: CacheFigures;
  /** Writes what was noted and stops. */
  close(): Promise<void>;
}

/** The keys in `database`. `now`: milliseconds since 1970. */
export function createKeyStore(
  database: KeyDatabase,
  { log, now }: { log: Logger; now: () => number },
): KeyStore {
  return new StoredKeys(database, new KeyCache(database, now), new LastUse(database, { log, now }), now);
}

class StoredKeys implements KeyStore {
  constructor(
    private readonly database: KeyDatabase,
    private readonly cache: KeyCache,
    private readonly lastUse: LastUse,
    private readonly now: () => number,
  ) {}

  async create({ name, plan, rights, expiresAt }: NewApiKey): Promise<{ key: string; record: ApiKeyRecord }> {
    const key = createKey();
    const hash = new Uint8Array(hashKey(key));
    const data = { hash, name, plan, rights: storedRights(rights), expiresAt };
    return { key, record: recordOf(await this.database.apiKey.create({ data })) };
  }

  async list(): Promise<ApiKeyRecord[]> {
    return (await this.database.apiKey.findMany({ orderBy: { id: 'asc' } })).map(recordOf);
  }

  async revoke(id: number): Promise<boolean> {
    const { count } = await this.database.apiKey.updateMany({
      where: { id, revokedAt: null },
      data: { revokedAt: new Date(this.now()) },
    });
    return count > 0;
  }

  find(key: string, sender = ''): Promise<ApiKeyRecord | undefined> {
    return this.cache.find(hashKey(key), sender);
  }

  isSettled(key: string): boolean {
    return this.cache.isSettled(hashKey(key));
  }

  remembered(key: string): ApiKeyRecord | undefined {
    return this.cache.remembered(hashKey(key));
  }

  noteUse(id: number): void {
    this.lastUse.note(id);
  }

  get figures(): CacheFigures {
    return this.cache;
  }

  close(): Promise<void> {
    return this.lastUse.close();
  }
}
