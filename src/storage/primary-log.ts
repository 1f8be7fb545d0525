import type pg from 'pg';
import { Lookout } from './lookout.js';

/** Marks that are kept: ten minutes of a log that grows all the time. */
const MOST_MARKS = 1200;

/** Where the log of the primary ended at a time. */
interface Mark {
  /** Milliseconds of this process's clock that never steps. */
  at: number;
  /** Bytes since the log began. */
  position: bigint;
}

// Of a standby that others follow, what it has replayed is its end.
const text = `
  SELECT pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END,
      '0/0')::text AS position,
    (SELECT id::text FROM installation LIMIT 1) AS installation`;

/**
 * How far the primary's log was at which time, as this process has seen it: what a replica is held against. The clocks
 * of servers do not come into it, nor does a replica's own word on how far it is behind: one whose receiver is away does
 * not know.
 */
export class PrimaryLog {
  private readonly lookout: Lookout;
  private readonly marks: Mark[] = [];
  /** Which installation it is the log of; null while it is not known. */
  installation: string | null = null;

  constructor(connection: pg.ClientConfig) {
    this.lookout = new Lookout(connection);
  }

  /** Marks where the log ends at present. While the primary cannot be asked, what is known of it stays. */
  async look(): Promise<void> {
    try {
      const [row] = await this.lookout.ask<{ position: string; installation: string | null }>(text);
      this.installation = row?.installation ?? null;
      if (row) this.mark({ at: performance.now(), position: BigInt(row.position) });
    } catch {
      // What asks it for something else says so.
    }
  }

  /**
   * What a server that has replayed so far lacks was written within this time before the newest mark, milliseconds; 0: it
   * lacks nothing. Null when no mark is old enough to tell.
   */
  lagOf(position: bigint): number | null {
    const newest = this.marks.at(-1);
    const covered = this.marks.findLast((mark) => mark.position <= position);
    return newest && covered ? newest.at - covered.at : null;
  }

  close(): Promise<void> {
    return this.lookout.close();
  }

  private mark(mark: Mark): void {
    // Who holds as much as before lacks nothing of the time between.
    if (this.marks.at(-1)?.position === mark.position) this.marks.pop();
    this.marks.push(mark);
    if (this.marks.length > MOST_MARKS) this.marks.shift();
  }
}
