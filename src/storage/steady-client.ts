import type { Socket } from 'node:net';
import pg from 'pg';
import { NamedQuery, type RowShapes } from './named-query.js';
import { forgetStatements, NONE, PreparedStatements } from './prepared-statements.js';
import { SocketGuard } from './socket-guard.js';

/** Milliseconds that a connection may take to close before its socket is destroyed. */
export const GOODBYE_MS = 500;

/** A statement as it is sent. @param mostBytes that it may return, if more than usual */
type SentQuery = pg.QueryConfig & { mostBytes?: number };

interface SteadyConfig extends pg.ClientConfig {
  /** Settings of its session, such as `-c jit=off`. */
  sessionOptions?: string;
  /** Whether it leads to a pooler. */
  pooled?: boolean;
  /** Most bytes that a statement may return, unless it says otherwise itself; absent: any number. */
  mostBytes?: number;
}

/** A client that handles its own errors, knows how long it has been waiting, and can be broken off. */
export class SteadyClient extends pg.Client {
  /** Whether it is borrowed from its pool. */
  lent = false;
  /** Whether its statements may take any time, and return any number of bytes. */
  patient = false;
  private askedAt: number | undefined;
  private heard = 0;
  private heardAt = 0;
  private isCorked = false;
  readonly prepared: PreparedStatements;
  private readonly shapes: RowShapes = new Map();
  private readonly guard: SocketGuard;
  private readonly mostBytes: number | undefined;

  constructor(config: SteadyConfig = {}) {
    super(config);
    this.setOptions(config);
    this.prepared = new PreparedStatements(config.pooled);
    this.guard = SocketGuard.of(this.connection);
    this.mostBytes = config.mostBytes;
    // An error without a listener ends the process, and the pool does not listen on a borrowed or ending
    // connection.
    this.on('error', () => undefined);
    this.on('drain', () => (this.askedAt = undefined));
  }

  /**
   * The options of its session: ours, and over them those of the address, which are the operator's. pg would
   * take those of the variable PGOPTIONS where there are none, which users set for psql, as PGREPLICATION.
   */
  private setOptions({ options, connectionString = '', sessionOptions }: SteadyConfig): void {
    const { connectionParameters: parameters } = this as unknown as Startup;
    const given = options || /[?&]options=/.test(connectionString) ? parameters.options : undefined;
    parameters.options = [sessionOptions, given].filter(Boolean).join(' ') || undefined;
    parameters.replication = undefined;
  }

  // Not pg's query_timeout: it makes a timer for each statement, and leaves the connection usable while the
  // statement is still running on it, so that Prisma puts it back into the pool.
  override query(...args: never[]): never {
    // Not restarted: on a shared connection the oldest statement counts. When all are answered it is
    // forgotten.
    this.askedAt ??= performance.now();
    const [query, ...more] = args as unknown as [SentQuery | NamedQuery<object>, ...never[]];
    const { name, text, mostBytes = this.mostBytes } = (query ?? {}) as SentQuery;
    this.guard.most = this.patient ? null : (mostBytes ?? null);
    const forgotten = name ? this.prepared.use(name, text) : NONE;
    if (forgotten?.length) this.forget(forgotten);
    const kept = this.asKept(query, forgotten !== null);
    if (kept instanceof NamedQuery && this.pipelined) return this.sendPipelined(kept) as never;
    return super.query(...([kept, ...more] as unknown as [string])) as never;
  }

  /**
   * Whether hot reads are sent before those before them are answered. Change it while nothing is under way.
   */
  get pipelined(): boolean {
    return (this as unknown as Queue).pipeline;
  }

  set pipelined(is: boolean) {
    (this as unknown as Queue).pipeline = is;
  }

  /** Whether it is neither lost nor closed. */
  get isUsable(): boolean {
    const { _queryable, _ending } = this as unknown as Queue;
    return _queryable && !_ending;
  }

  /**
   * As pg's own queries are in its pipeline mode. It refuses queries of other classes, because those that
   * keep a portal open, as cursors do, would get the rows of others; ours does not.
   */
  private sendPipelined<Query extends pg.Submittable>(query: Query): Query {
    const queue = this as unknown as Queue;
    if (!this.isUsable) {
      // So that pg says what is wrong with the connection.
      this.pipelined = false;
      return super.query(query);
    }
    this.corkForNow();
    queue._queryQueue.push(query);
    queue._pulseQueryQueue();
    return query;
  }

  /** What is sent in one turn of the event loop is written together. */
  private corkForNow(): void {
    if (this.isCorked) return;
    this.isCorked = true;
    const { stream } = this.connection;
    stream.cork();
    setImmediate(() => {
      this.isCorked = false;
      stream.uncork();
    });
  }

  /** Before the new statement is sent: a connection answers in order. */
  private forget(names: readonly string[]): void {
    for (const name of names) this.shapes.delete(name);
    const forgetting = forgetStatements(names);
    if (this.pipelined) this.sendPipelined(forgetting);
    else super.query(forgetting);
  }

  /** A statement that is not kept has no name. */
  private asKept(query: SentQuery | NamedQuery<object>, isKept: boolean): SentQuery | NamedQuery<object> {
    if (!(query instanceof NamedQuery)) return isKept ? query : { ...query, name: undefined };
    query.keepIn(isKept ? this.shapes : null);
    return query;
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    // The server's goodbye may never arrive, and an open socket keeps the process running.
    const timer = setTimeout(() => this.connection.stream.destroy(), GOODBYE_MS).unref();
    this.once('end', () => clearTimeout(timer));
    return callback ? super.end(callback) : super.end();
  }

  /**
   * Milliseconds for which the running statement has returned nothing, as of the last call; 0: none is
   * running, or it may take any time.
   */
  silence(now: number): number {
    const { bytesRead } = this.connection.stream as Socket;
    if (bytesRead !== this.heard) this.heardAt = now;
    this.heard = bytesRead;
    return this.askedAt === undefined || this.patient ? 0 : now - Math.max(this.askedAt, this.heardAt);
  }

  /** Ends the connection at once; its statements fail with this message, and the pool does not reuse it. */
  giveUp(message: string): void {
    this.connection.stream.destroy(new Error(message));
  }
}

/** What pg sends at the start of a connection, which it does not declare. */
interface Startup {
  connectionParameters: { options: string | undefined; replication: string | undefined };
}

/** pg's queue of statements, which it does not declare. */
interface Queue {
  pipeline: boolean;
  _queryable: boolean;
  _ending: boolean;
  _queryQueue: object[];
  _pulseQueryQueue: () => void;
}
