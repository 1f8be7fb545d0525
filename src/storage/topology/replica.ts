import type pg from 'pg';
import type { Logger } from 'pino';
import { clusterOf } from './cluster-id.js';
import type { OpenConnections } from '../connections.js';
import { messageOf } from '../errors.js';
import { ProbeConnection } from './probe-connection.js';
import type { PrimaryLog } from './primary-log.js';
import { isOfAnother, Proof, type Suspect } from './proof.js';
import { read } from '../read.js';
import { limitProblem } from './pooler.js';
import { missingFrom } from '../readiness.js';
import type { Server, ServerFigures } from '../server.js';
import { SharedReads } from '../shared-reads.js';
import { withSnapshot } from '../borrowed-connections.js';
import type { Connection } from '../session.js';
import type { Storage } from '../storage.js';

const text = `
  SELECT pg_is_in_recovery() AS standby, pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text AS position,
    (SELECT id::text FROM installation LIMIT 1) AS installation,
    (SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout') AS "limit",
    extract(epoch FROM pg_postmaster_start_time())::text AS server`;

interface State {
  standby: boolean;
  position: string | null;
  installation: string | null;
  /** Milliseconds after which a statement of the probe is cancelled; 0: never. */
  limit: number;
  /** When the server was started. */
  server: string;
}

export interface ReplicaOptions {
  /** Host, port and database, for the log alone. */
  name: string;
  /** Its number in READ_DATABASE_URLS, from 1 on: its name in logs and metrics. */
  number: number;
  connection: pg.ClientConfig;
  connections: OpenConnections;
  /** See READ_MAX_LAG_MS. */
  maxLag: number;
  /** Longest statement that the server itself must allow, milliseconds; absent: our connections set it. */
  limit?: number;
  log: Logger;
}

/** A hot standby that answers reads while it can be reached and is not too far behind. */
export class Replica implements Server {
  readonly follows = true;
  private readonly probe: ProbeConnection;
  private reads = 0;
  private used = false;
  /** Null while it is not known: then neither server was asked, or one did not answer. */
  private lag: number | null = null;
  /** When the lag was last known, by the clock that never steps. */
  private measuredAt: number | null = null;
  private isMigrated = false;
  private readonly proof = new Proof();
  /** Its properties when its server was new. */
  private met: Pick<Suspect, 'server' | 'cluster'> | undefined;
  /** Why it is not used, as it was logged last. */
  private reported: string | undefined;

  constructor(private readonly options: ReplicaOptions) {
    this.probe = new ProbeConnection(options.connection);
  }

  get name(): string {
    return `replica-${this.options.number}`;
  }

  get isUsed(): boolean {
    return this.used;
  }

  get pool(): pg.Pool {
    return this.options.connections.pool;
  }

  get prisma(): Storage['prisma'] {
    return this.options.connections.prisma;
  }

  get figures(): ServerFigures {
    const { name, reads, used, lag, measuredAt } = this;
    const shared = SharedReads.of(this.pool).figures;
    return {
      server: name,
      reads,
      prepared: this.options.connections.prepared(),
      shared,
      replica: { used, lag, measuredAgo: measuredAt === null ? null : performance.now() - measuredAt },
    };
  }

  noteRead(): void {
    this.reads += 1;
  }

  read<Row extends object>(...[statement, values, abandon]: Parameters<Storage['read']>): Promise<Row[]> {
    return read<Row>(this.pool, statement, values, abandon);
  }

  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return withSnapshot(this.pool, work);
  }

  /** Checks whether requests can be read from it. Never fails. */
  async look(primary: PrimaryLog): Promise<void> {
    try {
      this.judge(await this.problem(primary));
    } catch (error) {
      if (this.pool.ending) return;
      this.lag = null;
      // Requests that read from it now get the primary's answer.
      this.options.connections.giveUp('Connection terminated: the replica does not answer');
      this.judge(`cannot be queried (${messageOf(error)})`);
    }
  }

  async close(atOnce: AbortSignal): Promise<void> {
    await Promise.all([this.options.connections.close(atOnce), this.probe.close()]);
  }

  /** Why it cannot be read from; undefined when it can. */
  private async problem(primary: PrimaryLog): Promise<string | undefined> {
    const [state] = await this.probe.ask<State>(text);
    this.lag = null;
    // A server that was promoted has its own timeline.
    if (!state?.standby || state.position === null) return 'is not a hot standby';
    if (primary.installation === null) return 'cannot be compared with the primary';
    if (state.installation !== primary.installation) return 'does not have the data of DATABASE_URL';
    const { limit } = this.options;
    const problem = limit && limitProblem(state.limit, limit);
    if (problem) return `is a pooler through which statements ${problem}`;
    // Before its lag, because positions of two clusters' logs cannot be compared.
    const suspect = await this.suspect(state);
    if (isOfAnother(suspect, primary)) return 'belongs to another cluster than DATABASE_URL';
    const lag = primary.lagOf(BigInt(state.position));
    // While the primary does not answer, the replica is compared with what was known: it keeps its state, but
    // has no lag.
    if (primary.answers) this.measure(lag);
    if (lag === null || lag > this.options.maxLag) return 'is too far behind';
    this.isMigrated ||= (await missingFrom((each) => this.probe.ask(each))).length === 0;
    return this.isMigrated ? this.proof.problem(suspect, primary) : 'is missing migrations';
  }

  private measure(lag: number | null): void {
    this.lag = lag;
    if (lag !== null) this.measuredAt = performance.now();
  }

  private async suspect({ server, position }: State): Promise<Suspect> {
    if (server !== this.met?.server)
      this.met = { server, cluster: await clusterOf((each) => this.probe.ask(each)) };
    return {
      ...this.met,
      position: BigInt(position ?? 0),
      holds: async (word) =>
        (await this.probe.ask(`SELECT 1 FROM replica_proof WHERE word = '${word}'`)).length > 0,
    };
  }

  private judge(problem: string | undefined): void {
    const { name: replica, number, log } = this.options;
    this.used = problem === undefined;
    if (problem === this.reported) return;
    if (problem)
      log.warn({ replica, number, lagMs: this.lag }, `the replica ${problem}: it is not read from`);
    else log.info({ replica, number }, 'the replica is read from again');
    this.reported = problem;
  }
}
