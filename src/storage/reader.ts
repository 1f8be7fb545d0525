import type { Abandon } from './abandon.js';
import type { Database } from './prisma.js';
import type { Statement } from './statement.js';
import type { Connection } from './session.js';

/** Notes what a caller reads. */
export interface Observer {
  /**
   * @param name of the statement, or of the call: `model.operation`
   * @param outcome fulfilled with what is found
   */
  noteStatement(name: string, outcome: Promise<unknown>): void;
}

/** What a request may do with the database. It can neither close it nor learn its address or password. */
export interface Reader {
  /** Prisma's client: models, raw statements and transactions. */
  readonly prisma: Database;
  /** Whether reads go to a server that follows another: rows that were written before may still arrive. */
  readonly follows: boolean;
  /** The same object for all readers of a database: the key of what a process keeps for all of them. */
  readonly key: object;
  /**
   * A hot read: a named prepared statement on the pool.
   *
   * @param abandon cancels it in the server some time after it was abandoned; then its reason is thrown
   */
  read<Row extends object>(statement: Statement, values: unknown[], abandon?: Abandon): Promise<Row[]>;
  /**
   * Whether a statement or a call of a model finds a row, for callers that must be certain of its absence: a
   * row that a request's replica does not have is looked up on the primary, and the request reads from there
   * afterwards.
   *
   * @throws AppError SERVICE_UNAVAILABLE when DATABASE_URL names a standby to which the row may still arrive
   */
  holds(...question: Question): Promise<boolean>;
  /** Makes a request read from the primary from now on, and write there; false when it did before. */
  toPrimary(): boolean;
  /**
   * What the server of DATABASE_URL is.
   *
   * @throws AppError SERVICE_UNAVAILABLE for a standby that is behind, where a missing row may still arrive
   */
  refuseWhileBehind(): Promise<'primary' | 'standby'>;
  /**
   * Runs work that uses a connection of the pool, when the caller uses less than its share. Not inside other
   * such work, nor around a `read` or a call of `prisma`: both would wait for each other.
   *
   * @throws AppError SERVICE_UNAVAILABLE when it cannot begin in time
   */
  withinLimit<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs work on one snapshot of the database, read-only, outside of every caller's share; again where a
   * replica is lost.
   */
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
}

/** A statement and its values, or a call of a model that gives a row or null. */
export type Question =
  [statement: Statement, values: unknown[]] | [find: (prisma: Database) => Promise<object | null>];

/** See Reader.holds. */
export async function holds(reader: Reader, ...[question, values = []]: Question): Promise<boolean> {
  const find = async () =>
    typeof question === 'function'
      ? (await question(reader.prisma)) !== null
      : (await reader.read(question, values)).length > 0;
  if (await find()) return true;
  if (reader.toPrimary() && (await find())) return true;
  // The row may arrive between the two reads.
  return (await reader.refuseWhileBehind()) === 'standby' && find();
}
