import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { clusterOf } from './cluster-id.js';
import { codeOf } from '../errors.js';
import { ProbeConnection } from './probe-connection.js';
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

// For a standby that others follow, the end is what it has replayed. The insert position is ahead of what is
// written.
const endText = (end: 'pg_current_wal_lsn' | 'pg_current_wal_insert_lsn') => `
  pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE ${end}() END, '0/0')::text AS position`;

// A server that was promoted continues in a new timeline, without a new start.
const text = `
  SELECT ${endText('pg_current_wal_lsn')},
    (SELECT id::text FROM installation LIMIT 1) AS installation,
    extract(epoch FROM pg_postmaster_start_time())::text
      || CASE WHEN pg_is_in_recovery() THEN ' standby' ELSE ' ' || left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS server`;

/** A standby, a server that is set to accept no changes, or a role that may not write. */
const mayNotWrite = new Set(['25006', '42501']);

const insertText = (word: string) => `
  WITH former AS (DELETE FROM replica_proof WHERE written_at < now() - interval '1 hour')
  INSERT INTO replica_proof (word) VALUES ('${word}')`;
const newestText = 'SELECT word::text AS word FROM replica_proof ORDER BY written_at DESC LIMIT 1';

/**
 * How far the primary's log was at which time, as this process has seen it: replicas are compared with that.
 * It depends neither on the clocks of servers nor on what a replica itself reports: a replica whose receiver
 * is down does not know that it is behind.
 */
export class PrimaryLog {
  private readonly probe: ProbeConnection;
  private readonly marks: Mark[] = [];
  /** The installation that the log belongs to; null while it is not known. */
  installation: string | null = null;
  /** Different for every run of a server, and after it is promoted; empty while it is not known. */
  server = '';
  /** Its cluster; null if our role may not read it. */
  cluster: string | null = null;
  /** Whether the last look was answered: without it, it is unknown what replicas are missing. */
  answers = false;

  constructor(connection: pg.ClientConfig) {
    this.probe = new ProbeConnection(connection);
  }

  /** Marks where the log ends now. While the primary cannot be reached, the known marks stay. */
  async look(): Promise<void> {
    try {
      const [row] = await this.probe.ask<End & { installation: string | null; server: string }>(text);
      this.installation = row?.installation ?? null;
      if (row && row.server !== this.server) await this.meet(row.server);
      if (row) this.mark({ at: performance.now(), position: BigInt(row.position) });
      this.answers = row !== undefined;
    } catch {
      // Reads that need the primary report this error.
      this.answers = false;
    }
  }

  /**
   * How old the newest write may be that a server lacks which has replayed so far, by the newest mark,
   * milliseconds; 0: nothing is missing. Null when no mark is old enough.
   */
  lagOf(position: bigint): number | null {
    const newest = this.marks.at(-1);
    const covered = this.marks.findLast((mark) => mark.position <= position);
    return newest && covered ? newest.at - covered.at : null;
  }

  /**
   * Writes a new word. A server that accepts no changes returns the newest that it has.
   *
   * @returns null if there is none
   * @throws what pg throws
   */
  async write(): Promise<Word | null> {
    const word = await this.writtenOrNewest();
    const [end] = await this.probe.ask<End>(`SELECT ${endText('pg_current_wal_insert_lsn')}`);
    return word && end ? { word, position: BigInt(end.position) } : null;
  }

  close(): Promise<void> {
    return this.probe.close();
  }

  private async writtenOrNewest(): Promise<string | undefined> {
    const word = randomUUID();
    try {
      await this.probe.ask(insertText(word));
      return word;
    } catch (error) {
      if (!mayNotWrite.has(codeOf(error))) throw error;
      return (await this.probe.ask<{ word: string }>(newestText))[0]?.word;
    }
  }

  /** Another server answers, or the same since another start: its log may be another one. */
  private async meet(server: string): Promise<void> {
    this.cluster = await clusterOf((each) => this.probe.ask(each));
    this.marks.length = 0;
    this.server = server;
  }

  private mark(mark: Mark): void {
    // A replica that has everything up to the last mark lacks nothing of the time between.
    if (this.marks.at(-1)?.position === mark.position) this.marks.pop();
    this.marks.push(mark);
    if (this.marks.length > MOST_MARKS) this.marks.shift();
  }
}
