import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Services } from '../graphql/context.js';
import type { Load } from './load.js';

/** From a spliced page to the time limit, seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Serves /metrics in Prometheus' text format. Requests are counted by the template of their route, never by their
 * path: paths hold addresses and are without number.
 *
 * @param page the server that /metrics is a path of
 */
export function registerMetrics(
  app: FastifyInstance,
  { storage }: Services,
  load: Load,
  page: FastifyInstance = app,
): void {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its reply, by method and route.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers,
  });
  gauge('http_requests_in_flight', 'Requests that are being answered.', () => load.inFlight);
  gauge('database_pool_connections', 'Open database connections.', () => storage.pool.totalCount);
  gauge('database_pool_idle', 'Database connections without work.', () => storage.pool.idleCount);
  gauge(
    'database_pool_waiting',
    'Pieces of work that wait for a connection.',
    () => storage.pool.waitingCount,
  );

  app.addHook('onResponse', (request, reply, done) => {
    const { url, method } = request.routeOptions;
    const route = url ?? 'unknown';
    // Several methods share the route that refuses them, and an unknown path takes any method.
    const known = url !== undefined && typeof method === 'string' ? method : 'other';
    requests.inc({ method: known, route, status: reply.statusCode });
    durations.observe({ method: known, route }, reply.elapsedTime / 1000);
    done();
  });
  page.get('/metrics', { config: { always: true, free: true } }, async (_request, reply) =>
    reply
      .type(registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics()),
  );

  function gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }
}
