import type { Abandon } from './abandon.js';
import type { PoolWatcher } from './pool-watch.js';
import type { Database } from './prisma.js';
import type { Statement } from './read.js';
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

/** Who is told what a caller asks. */
export interface Observer {
  /**
   * @param name of the statement, or of the call: `model.operation`
   * @param asked fulfilled with what is found
   */
  noteStatement(name: string, asked: Promise<unknown>): void;
}

/** The open database, or one caller's way to it. */
export interface Storage {
  /** Prisma's client, extended: models, raw statements, transactions and hot reads. */
  readonly prisma: Database;
  /** For people: which database this is, without its password. */
  readonly description: string;
  /** Where other processes find it, postgresql://…, password included: never shown. */
  readonly url: string;
  /** Whether reads go to a server that follows another: rows may yet come to it that were written before. */
  readonly follows: boolean;
  /**
   * A hot read: a named prepared statement on the pool.
   *
   * @param abandon cancels it in the server some time after nobody waits any longer; its reason is what is then thrown
   */
  read<Row extends object>(statement: Statement, values: unknown[], abandon?: Abandon): Promise<Row[]>;
  /**
   * Whether a statement or a call of a model finds a row, asked where its absence is final: what a request's replica
   * does not hold is looked up on the primary, from which the request is read from then on.
   *
   * @throws AppError SERVICE_UNAVAILABLE when DATABASE_URL names a standby to which the row may yet come
   */
  holds(...question: Question): Promise<boolean>;
  /** Has a request read from the primary from now on, and write there; false when it did before. */
  toPrimary(): boolean;
  /**
   * What the server of DATABASE_URL is.
   *
   * @throws AppError SERVICE_UNAVAILABLE for a standby that is behind, where what is missing may yet come
   */
  refuseWhileBehind(): Promise<'primary' | 'standby'>;
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
  of(caller: string, abandon?: Abandon, observer?: Observer): Storage;
  /**
   * Runs work that uses a connection of the pool, when the caller has less than its share under way. Not inside of
   * another such work, nor around a `read` or a call of `prisma`: both would wait for each other.
   *
   * @throws AppError SERVICE_UNAVAILABLE when its turn does not come in time
   */
  turn<T>(work: () => Promise<T>): Promise<T>;
  /** Runs work on one moment of the database, read-only, outside of every caller's share; again where a replica is lost. */
  moment<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
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

/** A statement and its values, or a call of a model that gives a row or null. */
export type Question =
  [statement: Statement, values: unknown[]] | [find: (prisma: Database) => Promise<object | null>];

/** See Storage.holds. */
export async function holds(storage: Storage, ...[asked, values = []]: Question): Promise<boolean> {
  const find = async () =>
    typeof asked === 'function'
      ? (await asked(storage.prisma)) !== null
      : (await storage.read(asked, values)).length > 0;
  if (await find()) return true;
  if (storage.toPrimary() && (await find())) return true;
  // The row may come between the two looks.
  return (await storage.refuseWhileBehind()) === 'standby' && find();
}
