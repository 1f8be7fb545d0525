import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { topic, type Line } from './line.js';

/** The metrics of one process, as prom-client returns them. */
export type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[];

/** How long to wait for a process, milliseconds; then its last answer counts. */
const PATIENCE_MS = 2000;

/** A question to each process. */
export const metricsOfOne = topic<null, ProcessMetrics>('metrics of one', PATIENCE_MS);

/**
 * Merges the metrics of all processes. Totals of a process that ended stay in the sum: Prometheus takes a sum
 * that falls for a restart, and would count everything that is left once more.
 */
export class GatheredMetrics {
  private readonly last = new Map<Line, ProcessMetrics>();
  private ended: Promise<ProcessMetrics> = Promise.resolve([]);
  /** Of the primary process. */
  private readonly own = new Registry();
  private readonly ends: Counter;

  /** @param serving lines to those that serve */
  constructor(private readonly serving: () => readonly Line[]) {
    const registers = [this.own];
    collectDefaultMetrics({ register: this.own });
    new Gauge({
      name: 'moraine_processes_serving',
      help: 'Processes of this gateway that serve requests: the setting PROCESSES, minus those that are being replaced.',
      registers,
      collect() {
        this.set(serving().length);
      },
    });
    this.ends = new Counter({
      name: 'moraine_processes_ended_total',
      help: 'Processes of this gateway that ended unexpectedly or were killed.',
      registers,
    });
  }

  /** The answer, in Prometheus' text format. */
  async text(): Promise<string> {
    await Promise.all(this.serving().map((line) => this.askOne(line)));
    const own = await this.own.getMetricsAsJSON();
    // Both at the same time, because a process that ends moves from one to the other.
    const [ended, last] = [this.ended, [...this.last.values()]];
    return together([own, await ended, ...last]).metrics();
  }

  /** To be called when the process at the other end has ended. @param wasAsked it was asked to */
  forget(line: Line, wasAsked: boolean): void {
    if (!wasAsked) this.ends.inc();
    const metrics = this.last.get(line);
    this.last.delete(line);
    if (!metrics) return;
    const totals = metrics.filter(({ type }) => !isMomentary(type));
    this.ended = this.ended.then((others) => together([others, totals]).getMetricsAsJSON());
  }

  private async askOne(line: Line): Promise<void> {
    try {
      const metrics = await line.ask(metricsOfOne, null);
      // One that ended meanwhile is counted among the ended.
      if (line.isOpen) this.last.set(line, metrics);
    } catch {
      // It hangs or has just ended: its last answer counts.
    }
  }
}

// prom-client's types declare an enumeration of numbers, but it returns names.
const isMomentary = (type: unknown) => type === 'gauge';

function together(all: readonly ProcessMetrics[]): Registry {
  const counted = all.map((metrics) =>
    metrics.map((metric) => ({ ...metric, aggregator: aggregatorOf(metric) })),
  );
  return AggregatorRegistry.aggregate(counted);
}

function aggregatorOf({ name, aggregator }: ProcessMetrics[number]): ProcessMetrics[number]['aggregator'] {
  // prom-client leaves it out by default; the newest start shows that a process was replaced.
  if (name === 'process_start_time_seconds') return 'max';
  // For the delay of the event loop, because an average hides the process that is late.
  return aggregator === 'average' ? 'max' : aggregator;
}
