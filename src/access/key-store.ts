import type { Logger } from 'pino';
import { AppError } from '../errors.js';
import { ConcurrencyLimit } from '../concurrency-limit.js';
import type { ApiKey } from '../generated/prisma/client.js';
import type { Database } from '../storage/prisma.js';
import type { CacheFigures } from '../telemetry/cache-figures.js';
import { BoundedMap } from './bounded-map.js';
import { createKey, hashKey } from './key.js';
import { LastUse } from './last-use.js';
import { knownRights, type Right } from './plans.js';

/** A key as it is stored: everything but the key itself. */
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

export type KeyDatabase = Pick<Database, 'apiKey' | '$executeRaw'>;

// A change must take effect within 5 seconds; the read itself may take the last of them.
const freshMs = 4000;
const cachedKeys = 10_000;
// In the database this stands for "every right of the plan": Prisma cannot tell a null list from an empty one.
const allRights = '*';

// Two connections at a time, one for each caller.
const lookups = { running: 2, runningPerCaller: 1, waiting: 256, waitingPerCaller: 64 };
const patienceMs = 5000;
const retrySeconds = 1;

interface Found {
  readAt: number;
  record: ApiKeyRecord;
}

/** The keys in `database`. `now`: milliseconds since 1970. */
export function createKeyStore(
  database: KeyDatabase,
  { log, now }: { log: Logger; now: () => number },
): KeyStore {
  const found = new BoundedMap<Found>(cachedKeys);
  // Separate, so that invented keys do not push real ones out.
  const unknown = new BoundedMap<number>(cachedKeys);
  const running = new Map<string, Promise<ApiKeyRecord | undefined>>();
  const limit = new ConcurrencyLimit(lookups);
  const figures = {
    hits: 0,
    misses: 0,
    get size() {
      return found.size + unknown.size;
    },
  };
  const lastUse = new LastUse(database, { log, now });

  async function read(hash: Buffer, sender: string): Promise<ApiKeyRecord | undefined> {
    const terms = { caller: sender, deadline: Date.now() + patienceMs, refusal: tooManyLookups };
    const readAt = now();
    const row = await limit.run(terms, () =>
      database.apiKey.findUnique({ where: { hash: new Uint8Array(hash) } }),
    );
    const name = nameOf(hash);
    if (!row) {
      found.delete(name);
      unknown.set(name, readAt);
      return undefined;
    }
    const record = recordOf(row);
    unknown.delete(name);
    found.set(name, { readAt, record });
    return record;
  }
  // A clock that was set back must not keep a revoked key alive until it reaches its old time again.
  const isFresh = (readAt: number) => Math.abs(now() - readAt) < freshMs;
  const isUnknown = (name: string) => isFresh(unknown.get(name) ?? -Infinity);

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
    async find(key, sender = '') {
      const hash = hashKey(key);
      const name = nameOf(hash);
      const known = found.get(name);
      const isKnown = known !== undefined && isFresh(known.readAt);
      if (isKnown || isUnknown(name)) {
        figures.hits += 1;
        return isKnown ? known.record : undefined;
      }
      figures.misses += 1;
      const begun = running.get(name);
      if (begun) return begun;
      const reading = read(hash, sender).finally(() => running.delete(name));
      running.set(name, reading);
      return reading;
    },
    isSettled(key) {
      const name = nameOf(hashKey(key));
      return found.get(name) !== undefined || isUnknown(name);
    },
    remembered: (key) => found.get(nameOf(hashKey(key)))?.record,
    noteUse: (id) => lastUse.note(id),
    close: () => lastUse.close(),
  };
}

const nameOf = (hash: Buffer) => hash.toString('base64');

function tooManyLookups(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'Too many API keys are being checked; try again soon', {
    retryAfterSeconds: retrySeconds,
  });
}

function recordOf({ hash: _hash, rights, ...row }: ApiKey): ApiKeyRecord {
  return {
    ...row,
    rights: rights.includes(allRights) ? null : knownRights.filter((right) => rights.includes(right)),
  };
}
