import type { Siblings } from '../../cluster/siblings.js';
import { AppError } from '../../errors.js';
import { ConcurrencyLimit } from '../../concurrency-limit.js';
import type { CacheFigures } from '../../telemetry/cache-figures.js';
import type { HolderQuery } from '../evm-holding/holders.js';
import { onSnapshot, readVersions, type HoldingVersion, type Snapshot } from '../evm-holding/store.js';
import { codeOf } from '../../storage/errors.js';
import type { Reader } from '../../storage/reader.js';
import { IdSet } from './id-set.js';
import { Lending } from './lending.js';
import { SetCache } from './set-cache.js';
import { Iterations } from './iterations.js';

/** Sets of addresses, all from one snapshot, and the data's version for each. */
export interface Evaluated {
  versions: string[];
  sets: IdSet[];
}

export interface EngineOptions {
  cacheBytes: number;
  /** Milliseconds after which a request's evaluations are cancelled. */
  timeLimit: number;
  /** Evaluations that run at the same time; the rest of the pool stays free for other requests. */
  concurrency: number;
}

const RETRY_SECONDS = 5;
/** PostgreSQL's code for a statement that it cancelled. */
const CANCELLED = '57014';

/**
 * Evaluates sub-queries, each with the caller's storage, caches their sets by the version of their data, and
 * never evaluates the same one twice at a time.
 */
export class CompositeEngine {
  readonly iterations = new Iterations();
  private readonly cache: SetCache;
  private readonly lending: Lending;
  private readonly running = new Map<string, Promise<IdSet>>();
  private readonly limit: ConcurrencyLimit;

  /** @param siblings the other processes of the gateway; absent if there are none */
  constructor(
    private readonly options: EngineOptions,
    siblings?: Siblings,
  ) {
    this.cache = new SetCache(options.cacheBytes);
    this.lending = new Lending(this.iterations, this.cache, siblings);
    this.limit = new ConcurrencyLimit({ running: options.concurrency });
  }

  /** Of the cache of sets. */
  get figures(): CacheFigures {
    return this.cache;
  }

  /** Memory of the cached sets, bytes. */
  get cacheBytes(): number {
    return this.cache.bytes;
  }

  /** The present version of each query's data, all from one snapshot. */
  async versions(storage: Reader, queries: readonly HolderQuery[]): Promise<string[]> {
    return (await readVersions(storage, queries)).map(({ version }) => version);
  }

  /** The sets of these versions if all are cached. */
  remembered(queries: readonly HolderQuery[], versions: readonly string[]): IdSet[] | null {
    const sets = queries.map((query, index) => this.known(query, versions[index] ?? ''));
    return sets.every((set) => set !== undefined) ? sets : null;
  }

  /**
   * The sets of an iteration over a query's pages that another process began; null when none remembers it.
   *
   * @param query identity of the query, without versions
   * @param belongs whether the iteration is of these versions
   */
  async borrow(
    query: string,
    queries: readonly HolderQuery[],
    belongs: (versions: readonly string[]) => boolean,
  ): Promise<Evaluated | null> {
    const versions = await this.lending.borrow(query, belongs, (of) =>
      queries.flatMap((each, index) => (of[index] ? [cacheKey(each, of[index])] : [])),
    );
    const sets = versions && this.remembered(queries, versions);
    return sets && { versions, sets };
  }

  /**
   * The sets at present.
   *
   * @throws AppError SERVICE_UNAVAILABLE when they take longer than the time limit
   */
  async evaluate(storage: Reader, queries: readonly HolderQuery[]): Promise<Evaluated> {
    const present = await readVersions(storage, queries);
    const waiting = queries.map((query, index) => this.started(query, present[index]?.version ?? ''));
    if (waiting.every((set) => set !== undefined)) return this.gather(present, waiting);
    const deadline = Date.now() + this.options.timeLimit;
    // First the caller's connections: while it waits for one, it should not count as an evaluation.
    const begun = await storage.withinLimit(() =>
      this.limit.run({ caller: '', deadline, refusal: tooLong }, () =>
        onSnapshot(storage, (snapshot) => this.evaluateOn(snapshot, queries, deadline)),
      ),
    );
    return this.gather(begun.present, begun.waiting);
  }

  private async evaluateOn(snapshot: Snapshot, queries: readonly HolderQuery[], deadline: number) {
    const present = await snapshot.versions(queries);
    const waiting: Promise<IdSet>[] = [];
    // One after the other, because they share a connection. Those that another request has begun are awaited
    // later, without the connection.
    for (const [index, query] of queries.entries()) {
      const { holdingId, version } = present[index] as HoldingVersion;
      const started = this.started(query, version);
      if (started) {
        waiting.push(started);
        continue;
      }
      const set = this.start(cacheKey(query, version), () =>
        readSet(snapshot, query, holdingId, deadline - Date.now()),
      );
      await set;
      waiting.push(set);
    }
    return { present, waiting };
  }

  private known(query: HolderQuery, version: string): IdSet | undefined {
    // Without a version no row that the query could find is stored.
    return version === '' ? IdSet.empty : this.cache.get(cacheKey(query, version));
  }

  private started(query: HolderQuery, version: string): Promise<IdSet> | undefined {
    const known = this.known(query, version);
    return known ? Promise.resolve(known) : this.running.get(cacheKey(query, version));
  }

  private start(key: string, read: () => Promise<IdSet>): Promise<IdSet> {
    const promise = read()
      .then((set) => {
        this.cache.set(key, set);
        return set;
      })
      .finally(() => this.running.delete(key));
    this.running.set(key, promise);
    return promise;
  }

  private async gather(present: HoldingVersion[], sets: readonly Promise<IdSet>[]): Promise<Evaluated> {
    return { versions: present.map(({ version }) => version), sets: await Promise.all(sets) };
  }
}

const cacheKey = (query: HolderQuery, version: string) => `${query.key}@${version}`;

async function readSet(
  snapshot: Snapshot,
  query: HolderQuery,
  holdingId: number | null,
  timeLeft: number,
): Promise<IdSet> {
  if (holdingId === null) return IdSet.empty;
  if (timeLeft <= 0) throw tooLong();
  try {
    const { included, excluded } = await snapshot.holders(query, holdingId, timeLeft);
    return IdSet.of(included, excluded);
  } catch (error) {
    throw codeOf(error) === CANCELLED ? tooLong(error) : error;
  }
}

function tooLong(cause?: unknown): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'The composite query took too long and was cancelled. The results of finished sub-queries are cached, so that the same request continues from there; shorter date ranges and higher minimums take less time',
    { retryAfterSeconds: RETRY_SECONDS, cause },
  );
}
