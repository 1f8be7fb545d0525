import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { LineError } from '../cluster/line.js';
import { metricsOfOne } from '../cluster/metrics.js';
import { AppError } from '../errors.js';
import type { FollowReader } from '../follow/status/status.js';
import type { Services } from '../graphql/context.js';
import type { Live } from '../live/streams.js';
import { version } from '../package.js';
import type { CacheFigures } from '../telemetry/cache-figures.js';
import { prepareAsset, sendAsset } from './asset.js';
import type { Load } from '../shield/load.js';
import { databaseMetrics } from './metrics/database.js';
import { followMetrics } from './metrics/follow.js';
import { atMostEvery } from './metrics/look.js';
import { limiterMetrics } from './metrics/limiter.js';
import { queueMetrics, type ReadNewestBlocks } from './metrics/queue.js';
import { readMetrics, type ReadMetrics } from './metrics/read-metrics.js';
import { streamMetrics } from './metrics/streams.js';
import { routeOf } from './requests.js';

/** What is read for each scrape, in addition to requests. */
export interface MetricSources {
  /** The caches of this process by name. */
  readonly caches: Readonly<Record<string, CacheFigures>>;
  /** How far followed chains are. */
  readonly following: FollowReader;
  readonly readNewest: ReadNewestBlocks;
  readonly live: Live;
}

/** From a page that is copied unparsed to the time limit, seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Milliseconds between two readings of all metrics, which all requests share: a reading takes some
 * milliseconds for each process.
 */
export const METRICS_EVERY_MS = 1000;
const RETRY_SECONDS = 5;

/**
 * Serves /metrics in Prometheus' text format. Requests are counted by the template of their route, never by
 * their path: paths contain addresses, which are unlimited. With several processes each answers for all of
 * them.
 *
 * @param page the server that has the path /metrics
 */
export function registerMetrics(
  app: FastifyInstance,
  services: Services,
  load: Load,
  { caches, following, readNewest, live }: MetricSources,
  page: FastifyInstance = app,
): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const kinds = readMetrics(registry);
  buildMetrics(kinds);
  requestMetrics(app, registry);
  loadMetrics(kinds, load, services);
  databaseMetrics(registry, kinds, services);
  const looks = [queueMetrics(kinds, services, readNewest), followMetrics(kinds, following, services.log)];
  const look = () => Promise.all(looks.map((each) => each()));
  limiterMetrics(kinds, services.accessControl.limiter.figures);
  cacheMetrics(kinds, caches);
  streamMetrics(kinds, live, services.config.MAX_STREAMS);
  kinds.counters(
    'moraine_webhook_attempts_total',
    'Attempts of this gateway to send an event of a webhook, by outcome: sent, failed (it is tried again), set_aside.',
    ['outcome'],
    () =>
      Object.entries(services.webhooks.attempts).map(([outcome, value]) => ({ labels: { outcome }, value })),
  );
  const { siblings } = services;
  siblings?.answer(metricsOfOne, async () => {
    await look();
    return registry.getMetricsAsJSON();
  });
  const read = atMostEvery(METRICS_EVERY_MS, async () => {
    if (!siblings) await look();
    const body = await (siblings ? siblings.metrics().catch(hangs) : registry.metrics());
    return prepareAsset({ body, type: registry.contentType, headers: { 'cache-control': 'no-store' } });
  });
  page.get('/metrics', { config: { always: true, free: true } }, async (request, reply) =>
    sendAsset(request, reply, await read()),
  );
}

/** The totals of only this process would be lower than before: Prometheus would take that for a restart. */
function hangs(error: unknown): never {
  if (!(error instanceof LineError)) throw error;
  const message = 'The primary process, which collects the metrics of all processes, does not answer';
  throw new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: RETRY_SECONDS });
}

function buildMetrics({ gauges }: ReadMetrics): void {
  const labels = { version, node: process.versions.node };
  gauges(
    'moraine_build_info',
    'Always 1; its labels are the versions of Moraine and of Node.',
    Object.keys(labels),
    () => [{ labels, value: 1 }],
    'max',
  );
}

function requestMetrics(app: FastifyInstance, registry: Registry): void {
  const registers = [registry];
  const requests = new Counter({
    name: 'moraine_http_requests_total',
    help: 'Requests answered, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'moraine_http_request_duration_seconds',
    help: 'Time from a request to the end of its reply, by method and route.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers,
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { url, method } = request.routeOptions;
    const route = routeOf(request);
    // Several methods share the route that refuses them, and an unknown path accepts any method.
    const known = url !== undefined && typeof method === 'string' ? method : 'other';
    requests.inc({ method: known, route, status: reply.statusCode });
    durations.observe({ method: known, route }, reply.elapsedTime / 1000);
    done();
  });
}

function loadMetrics(
  { gauge, counters }: ReadMetrics,
  load: Load,
  { config }: Pick<Services, 'config'>,
): void {
  gauge('moraine_http_requests_in_flight', 'Requests that are being answered.', () => load.inFlight);
  gauge(
    'moraine_http_requests_in_flight_limit',
    'Maximum number of requests that are answered at the same time: the setting MAX_REQUESTS_IN_FLIGHT.',
    () => config.MAX_REQUESTS_IN_FLIGHT,
  );
  counters(
    'moraine_http_requests_refused_total',
    'Requests refused with 503 before any work. busy: the process was answering its maximum; share: the caller was using its whole share; closing: the process was stopping.',
    ['reason'],
    () => Object.entries(load.refusals).map(([reason, value]) => ({ labels: { reason }, value })),
  );
  gauge('moraine_http_connections', 'Open connections of clients.', () => load.connections);
  gauge(
    'moraine_http_connections_limit',
    'Maximum number of connections of clients: the setting MAX_CONNECTIONS.',
    () => config.MAX_CONNECTIONS,
  );
  gauge(
    'moraine_http_unsent_bytes',
    'Bytes of replies that clients have not read yet and of bodies that they are sending.',
    () => load.unsentBytes,
  );
  gauge(
    'moraine_http_unsent_bytes_limit',
    'Maximum number of bytes of unread replies and unfinished bodies: the setting MAX_UNSENT_MB.',
    () => config.MAX_UNSENT_MB * 1024 * 1024,
  );
}

function cacheMetrics(
  { gauges, counters }: ReadMetrics,
  caches: Readonly<Record<string, CacheFigures>>,
): void {
  const each = (read: (figures: CacheFigures) => number | undefined) =>
    Object.entries(caches).flatMap(([cache, figures]) => {
      const value = read(figures);
      return value === undefined ? [] : [{ labels: { cache }, value }];
    });
  counters('moraine_cache_hits_total', 'Lookups that a cache of this process answered.', ['cache'], () =>
    each(({ hits }) => hits),
  );
  counters(
    'moraine_cache_misses_total',
    'Lookups that a cache of this process could not answer.',
    ['cache'],
    () => each(({ misses }) => misses),
  );
  gauges('moraine_cache_entries', 'Entries of a cache of this process.', ['cache'], () =>
    each(({ size }) => size),
  );
  gauges(
    'moraine_cache_bytes',
    'Estimated bytes of the entries of a cache, where they are counted.',
    ['cache'],
    () => each(({ bytes }) => bytes),
  );
}
