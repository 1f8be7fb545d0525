import { Counter, Histogram, type Registry } from 'prom-client';
import type { Services } from '../../graphql/context.js';
import type { ServerFigures } from '../../storage/server.js';
import type { ReadMetrics } from './read-metrics.js';

/** From a cached index page to the time limit of statements, seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Of statements without their own name: those of transactions, keys and jobs. */
const UNNAMED = 'unnamed';

/** Metrics of the connections to the database and of the statements on them. */
export function databaseMetrics(registry: Registry, read: ReadMetrics, { storage }: Services): void {
  const { gauge } = read;
  const registers = [registry];
  serverMetrics(read, storage);
  gauge('moraine_database_pool_connections', 'Open database connections.', () => storage.figures().open);
  gauge('moraine_database_pool_idle', 'Idle database connections.', () => storage.figures().idle);
  gauge(
    'moraine_database_pool_waiting',
    'Tasks that are waiting for a connection.',
    () => storage.figures().waiting,
  );
  gauge(
    'moraine_database_pool_limit',
    'Maximum number of database connections of this process: the setting DATABASE_POOL.',
    () => storage.figures().limit,
  );
  const waits = new Histogram({
    name: 'moraine_database_pool_wait_seconds',
    help: 'Time that a task waited for a connection, including the opening of new ones.',
    buckets: BUCKETS,
    registers,
  });
  const refusals = new Counter({
    name: 'moraine_database_pool_failures_total',
    help: 'Tasks that got no connection: the pool stayed full, or the database could not be reached.',
    registers,
  });
  const durations = new Histogram({
    name: 'moraine_database_statement_duration_seconds',
    help: `Time of a statement on its connection, by its name; ${UNNAMED}: transactions, keys, jobs.`,
    labelNames: ['statement'],
    buckets: BUCKETS,
    registers,
  });
  const rows = new Counter({
    name: 'moraine_database_rows_total',
    help: 'Rows that statements returned, by name.',
    labelNames: ['statement'],
    registers,
  });
  const failures = new Counter({
    name: 'moraine_database_statement_failures_total',
    help: 'Statements that the database refused or cancelled, or whose connection was lost, by name.',
    labelNames: ['statement'],
    registers,
  });
  storage.watch({
    waited(seconds, got) {
      waits.observe(seconds);
      if (!got) refusals.inc();
    },
    ran(name = UNNAMED, seconds, brought, failed) {
      const of = seriesOf(name);
      of.duration.observe(seconds);
      of.rows.inc(brought);
      if (failed) of.failures.inc();
    },
  });

  // Looked up once for each name: finding a series by its labels takes longer than adding to it.
  const series = new Map<string, ReturnType<typeof makeSeries>>();
  function seriesOf(name: string) {
    let found = series.get(name);
    if (!found) series.set(name, (found = makeSeries(kindOf(name))));
    return found;
  }
  function makeSeries(statement: string) {
    return {
      duration: durations.labels({ statement }),
      rows: rows.labels({ statement }),
      failures: failures.labels({ statement }),
    };
  }
}

/** Metrics of the servers that answer reads. */
function serverMetrics({ gauges, counters }: ReadMetrics, storage: Services['storage']): void {
  counters(
    'moraine_database_reads_total',
    'Reads for requests, by the server to which they were sent: primary, or replica-1 and so on, in the order of READ_DATABASE_URLS.',
    ['server'],
    () => storage.servers().map(({ server, reads }) => ({ labels: { server }, value: reads })),
  );
  const ofShared = (value: keyof ServerFigures['shared']) => () =>
    storage.servers().map(({ server, shared }) => ({ labels: { server }, value: shared[value] }));
  gauges(
    'moraine_database_shared_connections',
    'Connections on which several short reads are under way at once.',
    ['server'],
    ofShared('connections'),
  );
  counters(
    'moraine_database_shared_reads_total',
    'Reads that were sent on shared connections.',
    ['server'],
    ofShared('reads'),
  );
  counters(
    'moraine_database_shared_reads_again_total',
    'Reads on shared connections that were sent again on another one, because a read before them was slow or too large.',
    ['server'],
    ofShared('again'),
  );
  const ofPrepared = (value: 'statements' | 'bytes') => () =>
    storage
      .servers()
      .flatMap(({ server, prepared }) =>
        Object.entries(prepared).map(([of, figures]) => ({ labels: { server, of }, value: figures[value] })),
      );
  gauges(
    'moraine_database_prepared_statements',
    "Prepared statements of the connections, by server and origin: own, or client for those made from clients' documents.",
    ['server', 'of'],
    ofPrepared('statements'),
  );
  gauges(
    'moraine_database_prepared_bytes',
    'Estimated memory of these prepared statements on the database server, bytes.',
    ['server', 'of'],
    ofPrepared('bytes'),
  );
  const ofReplicas = (value: (replica: NonNullable<ServerFigures['replica']>) => number | null) => () =>
    storage.servers().flatMap(({ server, replica }) => {
      const found = replica ? value(replica) : null;
      return found === null ? [] : [{ labels: { server }, value: found }];
    });
  gauges(
    'moraine_database_replica_used',
    'Whether requests are read from a replica at present: 1 or 0.',
    ['server'],
    ofReplicas(({ used }) => Number(used)),
  );
  gauges(
    'moraine_database_replica_lag_seconds',
    'Delay of a replica when it was last checked: everything that is missing from it was written within this time before the check. 0: nothing is missing. Absent: unknown, because it or the primary does not answer.',
    ['server'],
    ofReplicas(({ lag }) => lag && lag / 1000),
  );
  gauges(
    'moraine_database_replica_lag_age_seconds',
    'Time since the delay of a replica was last known. While it grows, answers from the replica may be older by as much. Absent: it never was known.',
    ['server'],
    ofReplicas(({ measuredAgo }) => measuredAgo && measuredAgo / 1000),
    'max',
  );
}

/**
 * A statement's name without the part that names its variants (order, direction, cursors), so that there are
 * as many series as there are reads in the code.
 */
function kindOf(name: string): string {
  return name.replace(/_(asc|desc)_.*$/, '');
}
