import type { LimiterFigures } from '../../access/limiter.js';
import type { ReadMetrics } from './read-metrics.js';

/** Metrics of the rate limits. */
export function limiterMetrics({ gauge, counters }: ReadMetrics, figures: LimiterFigures): void {
  counters(
    'moraine_rate_limit_decisions_total',
    'Rate limit decisions, by plan. refused: over the limit; blocked: the caller kept sending after refusals.',
    ['plan', 'outcome'],
    () =>
      [...figures.decisions].flatMap(([plan, counts]) =>
        Object.entries(counts).map(([outcome, value]) => ({ labels: { plan, outcome }, value })),
      ),
  );
  gauge(
    'moraine_rate_limit_clients',
    'Clients whose use this gateway counts in its memory.',
    () => figures.clients,
    // Each process reports what the primary process remembers.
    'max',
  );
  // Absent without REDIS_URL, so that 0 always means that Redis was lost.
  if (figures.redisUsed !== undefined)
    gauge(
      'moraine_rate_limit_redis_up',
      'Whether Redis counts the limits: 1, or 0 while each process counts for itself. Absent without REDIS_URL.',
      () => Number(figures.redisUsed),
      'min',
    );
}
