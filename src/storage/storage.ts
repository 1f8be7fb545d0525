import type pg from 'pg';
import type { PrismaClient } from '../generated/prisma/client.js';
import type { Statement } from './read.js';
import type { Shares } from './share.js';

/** The open database, or one caller's way to it. */
export interface Storage {
  /** Shared by Prisma and the hot reads; what uses it directly is outside of every caller's share. */
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  /** For people: which database this is, without its password. */
  readonly description: string;
  /** A hot read: a named prepared statement on the pool. */
  read<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /**
   * Whether a statement finds a row, asked where its absence is final.
   *
   * @throws AppError SERVICE_UNAVAILABLE when it finds none on a replica to which the row may yet come
   */
  holds(statement: Statement, values: unknown[]): Promise<boolean>;
  /**
   * What the server is.
   *
   * @throws AppError SERVICE_UNAVAILABLE for a replica that is behind, where what is missing may yet come
   */
  refuseWhileBehind(): Promise<'primary' | 'standby'>;
  /**
   * The same database for one caller, who has at most its share of the pool at a time.
   *
   * @param caller what its requests are counted by
   */
  of(caller: string): Storage;
  /**
   * Runs work that uses a connection of the pool, when the caller has less than its share under way. Not inside of
   * another such work, nor around a `read`: both would wait for each other.
   *
   * @throws AppError SERVICE_UNAVAILABLE when its turn does not come in time
   */
  turn<T>(work: () => Promise<T>): Promise<T>;
  /** Runs work on a new connection beside the pool: for what must be known while the pool is used up. */
  aside<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  /** Ends every connection, within seconds; stops the embedded server when no other process uses it. Once is enough. */
  close(): Promise<void>;
}

/** See Storage.holds. */
export async function holds(storage: Storage, statement: Statement, values: unknown[]): Promise<boolean> {
  const find = async () => (await storage.read(statement, values)).length > 0;
  if (await find()) return true;
  // The row may come between the two looks.
  return (await storage.refuseWhileBehind()) === 'standby' && find();
}

/** The storage of the process behind a caller's. */
export function wholeStorage(storage: Storage): Storage {
  return storage instanceof CallerStorage ? storage.whole : storage;
}

/** See Storage.of. A class: one is made for each request. */
export class CallerStorage implements Storage {
  constructor(
    readonly whole: Storage,
    private readonly shares: Shares,
    private readonly caller: string,
  ) {}

  get pool(): pg.Pool {
    return this.whole.pool;
  }

  get prisma(): PrismaClient {
    return this.whole.prisma;
  }

  get description(): string {
    return this.whole.description;
  }

  read<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.turn(() => this.whole.read<Row>(statement, values));
  }

  holds(statement: Statement, values: unknown[]): Promise<boolean> {
    return holds(this, statement, values);
  }

  refuseWhileBehind(): Promise<'primary' | 'standby'> {
    return this.turn(() => this.whole.refuseWhileBehind());
  }

  of(caller: string): Storage {
    return new CallerStorage(this.whole, this.shares, caller);
  }

  turn<T>(work: () => Promise<T>): Promise<T> {
    return this.shares.run(this.caller, work);
  }

  aside<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    return this.whole.aside(work);
  }

  close(): Promise<void> {
    return this.whole.close();
  }
}
