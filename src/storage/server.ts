import { codeOf, troubleOf } from './errors.js';
import type { PreparedFigures } from './prepared-statements.js';
import type { Reader } from './reader.js';

/** A database server that requests are answered from: that of DATABASE_URL, or a replica of it. */
export interface Server extends Pick<Reader, 'prisma' | 'read' | 'moment' | 'follows'> {
  /** `primary`, or a replica's host, port and database. */
  readonly name: string;
  /** Whether it is to be read from at present. */
  readonly isUsed: boolean;
  /** Notes that a request reads from it. */
  noteRead(): void;
}

/** What became of a server's work, for metrics. */
export interface ServerFigures {
  server: string;
  /** Reads of requests that were sent to it. */
  reads: number;
  /** What the connections to it keep prepared. */
  prepared: PreparedFigures;
  /** Of a replica alone. */
  replica?: {
    /** Whether requests are read from it at present. */
    used: boolean;
    /** What it lacks was written within this time before the primary was last asked, milliseconds; null: not known. */
    lag: number | null;
  };
}

/** PostgreSQL's code for a read that a standby cancelled as it stood in the way of the replay; the primary has no such. */
const REPLAY_CONFLICT = '40001';

/**
 * The one server that a request reads from: a replica, and the primary from when on the replica will not do. The primary
 * is never behind, so that what a request reads later is never older.
 */
export class RequestServer {
  constructor(
    private present: Server,
    private readonly primary: Server,
  ) {}

  get follows(): boolean {
    return this.present.follows;
  }

  /** Has what is read from now on be read from the primary; false when it was before. */
  toPrimary(): boolean {
    const moved = this.present !== this.primary;
    this.present = this.primary;
    return moved;
  }

  /** Runs a read on the server, and once more on the primary where a replica was lost with it or had no connection for it. */
  async ask<T>(read: (server: Server) => Promise<T>): Promise<T> {
    // What waited for its turn meanwhile need not find out by itself.
    if (!this.present.isUsed) this.toPrimary();
    const { present, primary } = this;
    present.noteRead();
    try {
      return await read(present);
    } catch (error) {
      if (present === primary || !isOfServer(error)) throw error;
      this.toPrimary();
      return this.ask(read);
    }
  }
}

/** Whether a read failed for a reason that the primary need not have. */
function isOfServer(error: unknown): boolean {
  return ['gone', 'busy'].includes(troubleOf(error) ?? '') || codeOf(error) === REPLAY_CONFLICT;
}
