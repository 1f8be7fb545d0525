import type { Connection } from '../../storage/session.js';
import type { Services } from '../../graphql/context.js';
import { sharedWhileRunning, waitAtMost } from './look.js';
import type { ReadMetrics, Sample } from './read-metrics.js';

/** The newest stored block of a chain of the primary network. */
export interface NewestBlock {
  network: string;
  chain: string;
  /** Decimal digits; null where unknown. */
  blockNumber?: string | null;
  /** Unix seconds; null where unknown. */
  blockTimestamp?: number | bigint | null;
}

/** Reads the newest blocks of the chains that have any. */
export type ReadNewestBlocks = (connection: Connection) => Promise<readonly NewestBlock[]>;

/** Age at which the figures are read again, milliseconds. */
const FRESH_MS = 15_000;
/** How long a scrape waits for new figures, milliseconds; then it returns the last ones. */
const PATIENCE_MS = 250;

/** What metrics read from the database. */
interface Known {
  jobs: Sample[];
  webhooks: Sample[];
  webhookEvents: Sample[];
  newest: readonly NewestBlock[];
  standby: boolean;
  /** Seconds; null if unknown: on a standby that receives nothing. */
  replayLag: number | null;
}

/**
 * Metrics that only the database knows: the queue of metadata jobs, how new the data are, and whether it
 * answers and is a replica.
 *
 * @returns a function that updates them when they are old; it never fails and waits only a short time
 */
export function queueMetrics(
  { gauge, gauges }: ReadMetrics,
  { storage, log }: Services,
  readNewest: ReadNewestBlocks,
): () => Promise<void> {
  // Null while it is not known; the last answer of a database that is away says nothing of now.
  let known: Known | null = null;
  let up: number | null = null;
  let lookedAt = -Infinity;
  gauge(
    'moraine_database_up',
    'Whether the database answered the last check, at most 15 seconds before the last scrape but one: 1 or 0. Absent before the first one.',
    () => up,
    'min',
  );
  gauges(
    'moraine_queue_jobs',
    'Jobs of the queue that are not done, by queue and state.',
    ['queue', 'state'],
    () => known?.jobs ?? [],
    'max',
  );
  webhookMetrics(gauges, () => known);
  gauge(
    'moraine_database_standby',
    'Whether the database is a replica, which cannot be written to: 1 or 0. Absent while it does not answer.',
    () => known && Number(known.standby),
    'max',
  );
  gauge(
    'moraine_database_replay_lag_seconds',
    'Age of the newest transaction that a replica has replayed; 0 when it has replayed all that it received, and on a primary. Absent while it is unknown: the database does not answer, or the replica receives nothing.',
    () => known && known.replayLag,
    'max',
  );
  const ofChains = (value: (block: NewestBlock) => string | number | bigint | null | undefined) => () =>
    (known?.newest ?? []).flatMap((block) => {
      const { network, chain } = block;
      const found = value(block);
      return found === null || found === undefined
        ? []
        : [{ labels: { network, chain }, value: Number(found) }];
    });
  gauges(
    'moraine_chain_newest_block_height',
    'Number of the newest stored block of a primary network chain (p, x, c), followed or imported. Absent where unknown.',
    ['network', 'chain'],
    ofChains(({ blockNumber }) => blockNumber),
    'max',
  );
  gauges(
    'moraine_chain_newest_block_time_seconds',
    'When that block was made, Unix seconds. Absent where unknown.',
    ['network', 'chain'],
    ofChains(({ blockTimestamp }) => blockTimestamp),
    'max',
  );
  const look = sharedWhileRunning(async () => {
    try {
      // On a spare connection: a full pool does not mean that the database is down.
      known = await storage.spareConnection((connection) => readKnown(connection, readNewest));
      up = 1;
    } catch (error) {
      [known, up] = [null, 0];
      log.debug({ err: error }, 'metrics of the queue could not be read');
    }
    lookedAt = performance.now();
  });
  return async () => {
    if (performance.now() - lookedAt >= FRESH_MS) await waitAtMost(look(), PATIENCE_MS);
  };
}

/** Of the webhooks of all keys. */
function webhookMetrics(gauges: ReadMetrics['gauges'], read: () => Known | null): void {
  gauges(
    'moraine_webhooks',
    'Webhooks, by state: active, paused (by the operator), inactive, and full: so many events wait that it is behind.',
    ['state'],
    () => read()?.webhooks ?? [],
    'max',
  );
  gauges(
    'moraine_webhook_events',
    'Events of webhooks by state: queued, or set_aside because they were not taken within a day.',
    ['state'],
    () => read()?.webhookEvents ?? [],
    'max',
  );
}

const STATES = ['created', 'retry', 'active', 'failed'];

async function readKnown(connection: Connection, readNewest: ReadNewestBlocks): Promise<Known> {
  const { rows } = await connection.query<{ queue: string; state: string; count: number }>(
    `SELECT queue.name AS queue, state.name AS state,
            (SELECT count(*)::int FROM pgboss.job WHERE job.name = queue.name AND job.state::text = state.name) AS count
     FROM pgboss.queue, unnest($1::text[]) state (name)`,
    [STATES],
  );
  const { rows: standing } = await connection.query<{ standby: boolean; lag: number | null }>(
    `SELECT pg_is_in_recovery() AS standby,
            CASE WHEN NOT pg_is_in_recovery() THEN 0
                 -- A role without pg_read_all_stats sees that there is a receiver, and not its status.
                 WHEN NOT EXISTS (SELECT FROM pg_stat_wal_receiver WHERE coalesce(status = 'streaming', true)) THEN NULL
                 WHEN pg_last_wal_receive_lsn() IS DISTINCT FROM pg_last_wal_replay_lsn()
                 THEN extract(epoch FROM now() - pg_last_xact_replay_timestamp())::float8
                 ELSE 0 END AS lag`,
  );
  const { rows: webhooks } = await connection.query<{ of: string; state: string; count: number }>(
    `SELECT 'webhooks' AS of, state, count(w.id)::int AS count FROM unnest('{active,paused,inactive,full}'::text[]) state
     LEFT JOIN webhook w ON state = CASE WHEN NOT w.is_active THEN 'inactive' WHEN w.is_paused THEN 'paused'
       WHEN w.position IS NOT NULL AND w.queued >= 5000 THEN 'full' ELSE 'active' END
     GROUP BY state
     UNION ALL SELECT 'events', 'queued', coalesce(sum(queued), 0)::int FROM webhook
     UNION ALL SELECT 'events', 'set_aside', count(*)::int FROM webhook_event WHERE set_aside_at IS NOT NULL`,
  );
  const samplesOf = (what: string) =>
    webhooks
      .filter((row) => row.of === what)
      .map(({ state, count }) => ({ labels: { state }, value: count }));
  return {
    webhooks: samplesOf('webhooks'),
    webhookEvents: samplesOf('events'),
    newest: await readNewest(connection),
    jobs: rows.map(({ queue, state, count }) => ({ labels: { queue, state }, value: count })),
    standby: standing[0]?.standby ?? false,
    replayLag: standing[0]?.lag ?? null,
  };
}
