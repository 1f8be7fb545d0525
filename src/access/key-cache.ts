import { AppError } from '../errors.js';
import { ConcurrencyLimit } from '../concurrency-limit.js';
import type { CacheFigures } from '../telemetry/cache-figures.js';
import { BoundedMap } from './bounded-map.js';
import { recordOf, type ApiKeyRecord, type KeyDatabase } from './key-record.js';

// A change must take effect within 5 seconds; the read itself may take the last of them.
const freshMs = 4000;
const cachedKeys = 10_000;

// Two look-ups run at a time, at most one of each caller; each takes a connection.
const lookups = { running: 2, runningPerCaller: 1, waiting: 256, waitingPerCaller: 64 };
const patienceMs = 5000;
const retrySeconds = 1;

interface Found {
  readAt: number;
  record: ApiKeyRecord;
}

/** Keys by the SHA-256 of their text, each read from the database at most every 4 seconds. */
export class KeyCache implements CacheFigures {
  hits = 0;
  misses = 0;
  private readonly found = new BoundedMap<Found>(cachedKeys);
  // Separate, so that invented keys do not push real ones out.
  private readonly unknown = new BoundedMap<number>(cachedKeys);
  private readonly running = new Map<string, Promise<ApiKeyRecord | undefined>>();
  private readonly limit = new ConcurrencyLimit(lookups);

  /** @param now milliseconds since 1970 */
  constructor(
    private readonly database: Pick<KeyDatabase, 'apiKey'>,
    private readonly now: () => number,
  ) {}

  /** The key's record, at most 4 seconds old; undefined: unknown. See KeyStore.find. */
  async find(hash: Buffer, sender: string): Promise<ApiKeyRecord | undefined> {
    const name = nameOf(hash);
    const known = this.found.get(name);
    const isKnown = known !== undefined && this.isFresh(known.readAt);
    if (isKnown || this.isUnknown(name)) {
      this.hits += 1;
      return isKnown ? known.record : undefined;
    }
    this.misses += 1;
    const begun = this.running.get(name);
    if (begun) return begun;
    const reading = this.read(hash, sender).finally(() => this.running.delete(name));
    this.running.set(name, reading);
    return reading;
  }

  /** Whether the key was found before, or was just found not to exist. */
  isSettled(hash: Buffer): boolean {
    const name = nameOf(hash);
    return this.found.get(name) !== undefined || this.isUnknown(name);
  }

  /** The key's record as it was last read, however long ago. */
  remembered(hash: Buffer): ApiKeyRecord | undefined {
    return this.found.get(nameOf(hash))?.record;
  }

  get size(): number {
    return this.found.size + this.unknown.size;
  }

  private async read(hash: Buffer, sender: string): Promise<ApiKeyRecord | undefined> {
    const options = { caller: sender, deadline: Date.now() + patienceMs, refusal: tooManyLookups };
    const readAt = this.now();
    const row = await this.limit.run(options, () =>
      this.database.apiKey.findUnique({ where: { hash: new Uint8Array(hash) } }),
    );
    const name = nameOf(hash);
    if (!row) {
      this.found.delete(name);
      this.unknown.set(name, readAt);
      return undefined;
    }
    const record = recordOf(row);
    this.unknown.delete(name);
    this.found.set(name, { readAt, record });
    return record;
  }

  // A clock that was set back must not keep a revoked key alive until it reaches its old time again.
  private isFresh(readAt: number): boolean {
    return Math.abs(this.now() - readAt) < freshMs;
  }

  private isUnknown(name: string): boolean {
    return this.isFresh(this.unknown.get(name) ?? -Infinity);
  }
}

const nameOf = (hash: Buffer) => hash.toString('base64');

function tooManyLookups(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'Too many API keys are being checked; try again soon', {
    retryAfterSeconds: retrySeconds,
  });
}
