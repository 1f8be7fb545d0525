import type { Logger } from 'pino';
import type { ApiKey, PrismaClient } from '../generated/prisma/client.js';
import type { CacheFigures } from '../telemetry/cache-figures.js';
import { BoundedMap } from './bounded-map.js';
import { createKey, hashKey } from './key.js';
import { LastUse } from './last-use.js';
import { knownRights, type Right } from './plans.js';

/** A key as it is kept: all but the key itself. */
export interface ApiKeyRecord {
  id: number;
  name: string;
  plan: string;
  /** null: every right of the plan. */
  rights: readonly Right[] | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
  /** Up to half a minute late; null: never. */
  lastUsedAt: Date | null;
}

export type NewApiKey = Pick<ApiKeyRecord, 'name' | 'plan' | 'rights' | 'expiresAt'>;

/** The API keys of this installation. */
export interface KeyStore {
  /** Makes a key. Its text is in the answer alone; it cannot be had again. */
  create(input: NewApiKey): Promise<{ key: string; record: ApiKeyRecord }>;
  /** All keys, revoked and expired ones too, oldest first. */
  list(): Promise<ApiKeyRecord[]>;
  /** Revokes a key; false: no such key, or revoked before. */
  revoke(id: number): Promise<boolean>;
  /** The key's record, at most 4 seconds old; undefined: unknown. */
  find(key: string): Promise<ApiKeyRecord | undefined>;
  /** The key's record as it was last read by this process, however long ago; undefined: unknown, or never read. */
  remembered(key: string): ApiKeyRecord | undefined;
  /** Notes that a key was used; written with the others' at intervals. */
  noteUse(id: number): void;
  /** Of the memory of keys. */
  readonly figures: CacheFigures;
  /** Writes what was noted and stops. */
  close(): Promise<void>;
}

export type KeyDatabase = Pick<PrismaClient, 'apiKey' | '$executeRaw'>;

// A change must take effect within 5 seconds; the last of them is for the read itself.
const freshMs = 4000;
const cachedKeys = 10_000;
// In the database this stands for "every right of the plan": Prisma cannot tell a null list from an empty one.
const allRights = '*';

interface Cached {
  readAt: number;
  record: Promise<ApiKeyRecord | undefined>;
  /** What the last read that succeeded found. */
  known: ApiKeyRecord | undefined;
}

/** The keys in `database`. `now`: milliseconds since 1970. */
export function createKeyStore(
  database: KeyDatabase,
  { log, now }: { log: Logger; now: () => number },
): KeyStore {
  const cache = new BoundedMap<Cached>(cachedKeys);
  const figures = {
    hits: 0,
    misses: 0,
    get size() {
      return cache.size;
    },
  };
  const lastUse = new LastUse(database, { log, now });

  async function read(hash: Buffer): Promise<ApiKeyRecord | undefined> {
    const row = await database.apiKey.findUnique({ where: { hash: new Uint8Array(hash) } });
    return row ? recordOf(row) : undefined;
  }

  return {
    figures,
    async create({ name, plan, rights, expiresAt }) {
      const key = createKey();
      const row = await database.apiKey.create({
        data: {
          hash: new Uint8Array(hashKey(key)),
          name,
          plan,
          rights: rights ? [...rights] : [allRights],
          expiresAt,
        },
      });
      return { key, record: recordOf(row) };
    },
    async list() {
      return (await database.apiKey.findMany({ orderBy: { id: 'asc' } })).map(recordOf);
    },
    async revoke(id) {
      const { count } = await database.apiKey.updateMany({
        where: { id, revokedAt: null },
        data: { revokedAt: new Date(now()) },
      });
      return count > 0;
    },
    find(key) {
      const hash = hashKey(key);
      const name = hash.toString('base64');
      const cached = cache.get(name);
      if (cached && now() - cached.readAt < freshMs) {
        figures.hits += 1;
        return cached.record;
      }
      figures.misses += 1;
      const entry: Cached = { readAt: now(), record: read(hash), known: cached?.known };
      cache.set(name, entry);
      entry.record.then(
        (record) => (entry.known = record),
        // A failed read must not be taken for the answer.
        () => (entry.readAt = -Infinity),
      );
      return entry.record;
    },
    remembered: (key) => cache.get(hashKey(key).toString('base64'))?.known,
    noteUse: (id) => lastUse.note(id),
    close: () => lastUse.close(),
  };
}

function recordOf({ hash: _hash, rights, ...row }: ApiKey): ApiKeyRecord {
  return {
    ...row,
    rights: rights.includes(allRights) ? null : knownRights.filter((right) => rights.includes(right)),
  };
}
