import type { Abandon } from './abandon.js';
import type { PoolWatcher } from './pool-watch.js';
import type { Observer, Reader } from './reader.js';
import type { ServerFigures } from './server.js';
import type { Connection, Result, Session } from './session.js';

/** How many connections there are. */
export interface PoolFigures {
  open: number;
  idle: number;
  /** Pieces of work that wait for one. */
  waiting: number;
  limit: number;
}

/** The open database of a process. */
export interface Storage extends Reader {
  /** For people: which database this is, without its password. */
  readonly description: string;
  /** Where other processes find it, postgresql://…, password included: never shown. */
  readonly url: string;
  /** Whether the server takes no changes: a hot standby, or one that is set so. */
  isReadOnly(): Promise<boolean>;
  /**
   * The same database for one request of a caller, who has at most its share of the pool at a time: reads and the calls
   * of `prisma` wait for their turn. They go to one server: to the replica whose turn it is, where there is one.
   *
   * @param caller what its requests are counted by
   * @param abandon cancels its reads when nobody waits for them any longer
   * @param observer is told of its reads and its calls of `prisma`
   */
  of(caller: string, abandon?: Abandon, observer?: Observer): Reader;
  /** Lends a connection for imports, exports and the like, past a pooler and outside of every caller's share. */
  session<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Runs a text that others wrote, of several statements perhaps; the connection is closed where it fails. */
  execute(text: string, values?: unknown[]): Promise<Result<object>>;
  /** Runs work on a new connection beside the pool: for what must be known while the pool is used up. */
  aside<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Of the pool of DATABASE_URL. */
  figures(): PoolFigures;
  /** The servers that requests are read from, the primary first. */
  servers(): ServerFigures[];
  /** Tells a watcher what the pools of all servers do from now on, whoever uses them. */
  watch(watcher: PoolWatcher): void;
  /** Ends every connection, within seconds; stops the embedded server when no other process uses it. Once is enough. */
  close(): Promise<void>;
}
