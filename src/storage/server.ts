import { codeOf, troubleOf } from './errors.js';
import type { PreparedFigures } from './prepared-statements.js';
import type { Reader } from './reader.js';
import type { SharedFigures } from './shared-reads.js';

/** A database server that requests are answered from: that of DATABASE_URL, or a replica of it. */
export interface Server extends Pick<Reader, 'prisma' | 'read' | 'snapshot' | 'follows'> {
  /** `primary`, or `replica-1` and so on, by READ_DATABASE_URLS: it is public, so not an address. */
  readonly name: string;
  /** Whether requests should be read from it now. */
  readonly isUsed: boolean;
  /** Notes that a request reads from it. */
  noteRead(): void;
}

/** The use of a server, for metrics. */
export interface ServerFigures {
  server: string;
  /** Reads of requests that were sent to it. */
  reads: number;
  /** What the connections to it keep prepared. */
  prepared: PreparedFigures;
  /** The use of its shared connections. */
  shared: SharedFigures;
  /** Only of a replica. */
  replica?: {
    /** Whether requests are read from it at present. */
    used: boolean;
    /**
     * How old the newest write may be that is missing from it, by the last check of the primary,
     * milliseconds; null: not known, because that or the replica did not answer.
     */
    lag: number | null;
    /** Milliseconds since it was last known; null: it never was. */
    measuredAgo: number | null;
  };
}

/**
 * PostgreSQL's code for a read that a standby cancelled because it blocked the replay; a primary never sends
 * it.
 */
const REPLAY_CONFLICT = '40001';

/**
 * The one server that a request reads from: a replica, or the primary after the replica failed. The primary
 * is never behind, so that a request's later reads are never older.
 */
export class RequestServer {
  constructor(
    private present: Server,
    private readonly primary: Server,
  ) {}

  get follows(): boolean {
    return this.present.follows;
  }

  /** Reads from the primary from now on; false when it did before. */
  toPrimary(): boolean {
    const moved = this.present !== this.primary;
    this.present = this.primary;
    return moved;
  }

  /** Runs a read on the server, and on the primary if the replica was lost or had no connection. */
  async ask<T>(read: (server: Server) => Promise<T>): Promise<T> {
    // A read that waited meanwhile need not try the replica again.
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
  return ['gone', 'busy', 'short'].includes(troubleOf(error) ?? '') || codeOf(error) === REPLAY_CONFLICT;
}
