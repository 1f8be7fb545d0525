import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { clusterOf } from './cluster-id.js';
import { codeOf } from './errors.js';
import { Lookout } from './lookout.js';
import type { Word } from './proof.js';

/** Marks that are kept: ten minutes of a log that grows all the time. */
const MOST_MARKS = 1200;

interface End {
  position: string;
}

/** Where the log of the primary ended at a time. */
interface Mark {
  /** Milliseconds of this process's clock that never steps. */
  at: number;
  /** Bytes since the log began. */
  position: bigint;
}

// Of a standby that others follow, what it has replayed is its end. What is inserted is ahead of what is written.
const endText = (end: 'pg_current_wal_lsn' | 'pg_current_wal_insert_lsn') => `
  pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE ${end}() END, '0/0')::text AS position`;

// A server that was promoted goes on in a timeline of its own, without a new start.
const text = `
  SELECT ${endText('pg_current_wal_lsn')},
    (SELECT id::text FROM installation LIMIT 1) AS installation,
    extract(epoch FROM pg_postmaster_start_time())::text
      || CASE WHEN pg_is_in_recovery() THEN ' standby' ELSE ' ' || left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS server`;

/** A standby, or one that is set to take no changes; a role that may not. */
const mayNotWrite = new Set(['25006', '42501']);

const insertText = (word: string) => `
  WITH former AS (DELETE FROM replica_proof WHERE written_at < now() - interval '1 hour')
  INSERT INTO replica_proof (word) VALUES ('${word}')`;
const newestText = 'SELECT word::text AS word FROM replica_proof ORDER BY written_at DESC LIMIT 1';

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
  /** Tells this run of the server from every other, and from itself once it is promoted; empty while it is not known. */
  server = '';
  /** Which cluster it is; null where our role may not know. */
  cluster: string | null = null;

  constructor(connection: pg.ClientConfig) {
    this.lookout = new Lookout(connection);
  }

  /** Marks where the log ends at present. While the primary cannot be asked, what is known of it stays. */
  async look(): Promise<void> {
    try {
      const [row] = await this.lookout.ask<End & { installation: string | null; server: string }>(text);
      this.installation = row?.installation ?? null;
      if (row && row.server !== this.server) await this.meet(row.server);
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

  /**
   * Writes a new word. A server that takes no changes has the newest that came to it.
   *
   * @returns null where there is none
   * @throws what pg throws
   */
  async write(): Promise<Word | null> {
    const word = await this.writtenOrNewest();
    const [end] = await this.lookout.ask<End>(`SELECT ${endText('pg_current_wal_insert_lsn')}`);
    return word && end ? { word, position: BigInt(end.position) } : null;
  }

  close(): Promise<void> {
    return this.lookout.close();
  }

  private async writtenOrNewest(): Promise<string | undefined> {
    const word = randomUUID();
    try {
      await this.lookout.ask(insertText(word));
      return word;
    } catch (error) {
      if (!mayNotWrite.has(codeOf(error))) throw error;
      return (await this.lookout.ask<{ word: string }>(newestText))[0]?.word;
    }
  }

  /** Another server answers, or the same since another start: its log may be another one. */
  private async meet(server: string): Promise<void> {
    this.cluster = await clusterOf((each) => this.lookout.ask(each));
    this.marks.length = 0;
    this.server = server;
  }

  private mark(mark: Mark): void {
    // Who holds as much as before lacks nothing of the time between.
    if (this.marks.at(-1)?.position === mark.position) this.marks.pop();
    this.marks.push(mark);
    if (this.marks.length > MOST_MARKS) this.marks.shift();
  }
}
