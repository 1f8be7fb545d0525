import type pg from 'pg';
import type { Abandon } from './abandon.js';
import { PATIENCE_MS, untilConnected } from './patience.js';
import { watchPool, type PoolWatcher } from './pool-watch.js';
import { CallerReader, type InTurn } from './caller-reader.js';
import { figuresOf, type PreparedFigures } from './prepared-statements.js';
import type { Database } from './prisma.js';
import { read } from './read.js';
import type { Statement } from './statement.js';
import { holds, type Observer, type Question, type Reader } from './reader.js';
import type { Replicas } from './topology/replicas.js';
import { isReadOnly, refuseWhileBehind } from './topology/replication.js';
import { SharedReads } from './shared-reads.js';
import { RequestServer, type Server, type ServerFigures } from './server.js';
import { withConnection, withSession, withSnapshot } from './borrowed-connections.js';
import type { Connection, Result, Session } from './session.js';
import type { ConnectionLimit } from './connection-limit.js';
import type { PoolFigures, Storage } from './storage.js';

interface StorageDeps {
  pool: pg.Pool;
  /** The pool of sessions; absent: the same pool. */
  sessions?: pg.Pool;
  prisma: Database;
  /** See ClosablePool; absent: no figures. */
  prepared?: () => PreparedFigures;
  connectionLimit: ConnectionLimit;
  replicas?: Replicas;
  description: string;
  url: string;
  follows?: boolean;
  spareConnection: Storage['spareConnection'];
  listen?: Storage['listen'];
  close: () => Promise<void>;
}

/** The database of a process; only this class uses the pool. */
export class WholeStorage implements Storage, Server {
  readonly #pool: pg.Pool;
  readonly #sessions: pg.Pool;
  readonly name = 'primary';
  readonly isUsed = true;
  readonly key = {};
  readonly prisma: Database;
  readonly description: string;
  readonly url: string;
  readonly follows: boolean;
  readonly spareConnection: Storage['spareConnection'];
  readonly listen: Storage['listen'];
  readonly close: () => Promise<void>;
  private readonly connectionLimit: ConnectionLimit;
  private readonly replicas: Replicas | undefined;
  private readonly prepared: () => PreparedFigures;
  private reads = 0;

  constructor(deps: StorageDeps) {
    const {
      pool,
      sessions = pool,
      prisma,
      connectionLimit,
      replicas,
      description,
      url,
      spareConnection,
      close,
    } = deps;
    this.#pool = pool;
    this.#sessions = sessions;
    this.prisma = prisma;
    this.prepared = deps.prepared ?? (() => figuresOf([]));
    this.connectionLimit = connectionLimit;
    this.replicas = replicas;
    this.description = description;
    this.url = url;
    this.follows = deps.follows ?? false;
    this.spareConnection = spareConnection;
    this.listen = deps.listen ?? (() => () => undefined);
    let closing: Promise<void> | undefined;
    this.close = () => (closing ??= close());
  }

  /** The pool of a storage, for tests that use it up or break it. */
  static poolOf(storage: Reader): pg.Pool {
    if (storage instanceof WholeStorage) return storage.#pool;
    throw new TypeError('the reader of a request has no pool of its own');
  }

  read<Row extends object>(statement: Statement, values: unknown[], abandon?: Abandon): Promise<Row[]> {
    return read<Row>(this.#pool, statement, values, abandon);
  }

  holds(...question: Question): Promise<boolean> {
    return holds(this, ...question);
  }

  toPrimary(): boolean {
    return false;
  }

  refuseWhileBehind(): Promise<'primary' | 'standby'> {
    return refuseWhileBehind(this.#pool);
  }

  isReadOnly(): Promise<boolean> {
    return isReadOnly(this.#pool);
  }

  of(caller: string, abandon?: Abandon, observer?: Observer): Reader {
    const server = new RequestServer(this.replicas?.next() ?? this, this);
    const inTurn: InTurn = (work) => this.connectionLimit.run(caller, work);
    return new CallerReader(this, inTurn, server, abandon, observer);
  }

  patient(caller: string, abandon?: Abandon, patienceMs = PATIENCE_MS): Reader {
    const inTurn: InTurn = (work) => {
      const wait = { deadline: Date.now() + patienceMs, abandon };
      return this.connectionLimit.run(caller, () => untilConnected(work, wait), patienceMs);
    };
    return new CallerReader(this, inTurn, new RequestServer(this, this), abandon);
  }

  withinLimit<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return withSnapshot(this.#pool, work);
  }

  session<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return withSession(this.#sessions, work);
  }

  // A foreign text may begin a transaction and fail in the middle of it.
  execute(text: string, values: unknown[] = []): Promise<Result<object>> {
    return withConnection(this.#pool, (connection) => connection.query(text, values));
  }

  figures(): PoolFigures {
    const { totalCount, idleCount, waitingCount, options } = this.#pool;
    return { open: totalCount, idle: idleCount, waiting: waitingCount, limit: options.max };
  }

  noteRead(): void {
    this.reads += 1;
  }

  servers(): ServerFigures[] {
    const replicas = this.replicas?.all.map(({ figures }) => figures) ?? [];
    const shared = SharedReads.of(this.#pool).figures;
    return [{ server: this.name, reads: this.reads, prepared: this.prepared(), shared }, ...replicas];
  }

  watch(watcher: PoolWatcher): void {
    for (const pool of [this.#pool, ...(this.replicas?.all.map((each) => each.pool) ?? [])])
      watchPool(pool, watcher);
  }
}
