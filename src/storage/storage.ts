import type { Abandon } from './abandon.js';
import type { PoolWatcher } from './pool-watch.js';
import type { Observer, Reader } from './reader.js';
import type { ServerFigures } from './server.js';
import type { Connection, Result, Session } from './session.js';

/** The use of the pool. */
export interface PoolFigures {
  open: number;
  idle: number;
  /** How many pieces of work wait for one. */
  waiting: number;
  limit: number;
}

/** The open database of a process. */
export interface Storage extends Reader {
  /** For people: which database this is, without its password. */
  readonly description: string;
  /** Where other processes find it, postgresql://…, with the password: never shown. */
  readonly url: string;
  /** Whether the server accepts no changes: a hot standby, or one that is set so. */
  isReadOnly(): Promise<boolean>;
  /**
   * The same database for one request of a caller, who uses at most its share of the pool at a time: further
   * reads and calls of `prisma` wait. They go to one server: to the next replica in turn, if there is one.
   *
   * @param caller whose requests these are
   * @param abandon cancels its reads when they are abandoned
   * @param observer observes its reads and its calls of `prisma`
   */
  of(caller: string, abandon?: Abandon, observer?: Observer): Reader;
  /**
   * The same for what no client waits for, such as events of streams: on the primary, because a replica may
   * not have a commit yet, and it waits long for its share and for a connection.
   *
   * @param abandon ends its waits, and its reads
   * @param patienceMs how long it waits for both, milliseconds; a minute if omitted
   */
  patient(caller: string, abandon?: Abandon, patienceMs?: number): Reader;
  /** Lends a connection for imports and exports, past a pooler and outside of every caller's share. */
  session<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Runs a foreign text, perhaps of several statements; the connection is closed if it fails. */
  execute(text: string, values?: unknown[]): Promise<Result<object>>;
  /** Runs work on a new connection outside the pool: for what must be known while the pool is full. */
  spareConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /**
   * Calls `notified` after commits that notify a channel, as long as a connection past any pooler can listen:
   * a hint to look, because some may be missed. @returns what ends it
   */
  listen(channel: string, notified: () => void): () => void;
  /** Of the pool of DATABASE_URL. */
  figures(): PoolFigures;
  /** The servers that answer reads, the primary first. */
  servers(): ServerFigures[];
  /** Reports to a watcher what the pools of all servers do from now on, whoever uses them. */
  watch(watcher: PoolWatcher): void;
  /** Ends every connection, within seconds; stops the embedded server when no other process uses it. */
  close(): Promise<void>;
}
