import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../../config.js';
import { openClient } from '../connection.js';
import { openConnections } from '../connections.js';
import { isPooled } from '../given-server.js';
import { PrimaryLog } from './primary-log.js';
import { Replica } from './replica.js';

/** Milliseconds between two checks of a replica. */
const LOOK_MS = 500;
/** Milliseconds that a read waits for a connection to a replica; after that the primary answers. */
const CONNECT_MS = 1000;

/** Those of READ_DATABASE_URLS; each request uses one of them. */
export class Replicas {
  private readonly closing = new AbortController();
  private watching = false;
  private turn = 0;

  constructor(
    readonly all: readonly Replica[],
    private readonly primary: PrimaryLog,
  ) {}

  /**
   * The next replica in turn; undefined when none can be used, or none was checked yet: the first call starts
   * the checks, so that commands without requests do not connect to replicas.
   */
  next(): Replica | undefined {
    if (!this.watching) for (const replica of this.all) void this.watch(replica);
    this.watching = true;
    const used = this.all.filter(({ isUsed }) => isUsed);
    this.turn += 1;
    return used[this.turn % used.length];
  }

  async close(atOnce: AbortSignal): Promise<void> {
    this.closing.abort();
    await Promise.all([this.primary.close(), ...this.all.map((replica) => replica.close(atOnce))]);
  }

  // Each by itself, because one that does not answer must not delay the others.
  private async watch(replica: Replica): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      // The primary first: a replica need not have what the primary writes after that.
      await this.primary.look();
      await replica.look(this.primary);
      await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}

type ReplicaConfig = Pick<
  Config,
  | 'DATABASE_POOL'
  | 'STATEMENT_TIMEOUT_MS'
  | 'DATABASE_URL'
  | 'DIRECT_DATABASE_URL'
  | 'READ_DATABASE_URLS'
  | 'READ_MAX_LAG_MS'
>;

/** It connects on first use. @param primary where the database of DATABASE_URL is */
export function openReplicas(primary: pg.ClientConfig, config: ReplicaConfig, log: Logger): Replicas {
  const all = config.READ_DATABASE_URLS.map((connectionString, index) => {
    const { host, port, database } = openClient({ connectionString });
    return new Replica({
      name: `${host}:${port}/${database}`,
      number: index + 1,
      connection: { connectionString },
      log,
      connections: openConnections({ connectionString }, config, log, CONNECT_MS),
      maxLag: config.READ_MAX_LAG_MS,
      limit: isPooled(config) ? config.STATEMENT_TIMEOUT_MS : undefined,
    });
  });
  return new Replicas(all, new PrimaryLog(primary));
}
