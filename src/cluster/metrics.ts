import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Registry,
  type MetricObjectWithValues,
  type MetricValue,
} from 'prom-client';
import { topic, type Line } from './line.js';

/** The metrics of one process, as prom-client tells them. */
export type Told = MetricObjectWithValues<MetricValue<string>>[];

/** How long a process is waited for, milliseconds; then its last answer counts. */
const PATIENCE_MS = 2000;

/** Asked of each process. */
export const metricsOfOne = topic<null, Told>('metrics of one', PATIENCE_MS);

/**
 * Makes one answer of the metrics of all processes. Totals of a process that ended stay in it: Prometheus takes one that
 * sinks for a restart, and would count all that is left once more.
 */
export class GatheredMetrics {
  private readonly last = new Map<Line, Told>();
  private ended: Promise<Told> = Promise.resolve([]);
  /** Of the primary process. */
  private readonly own = new Registry();
  private readonly ends: Counter;

  /** @param serving the lines to all that serve */
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
    // Both of one moment: a process that ends goes from one to the other.
    const [ended, last] = [this.ended, [...this.last.values()]];
    return together([own, await ended, ...last]).metrics();
  }

  /** To be called when the process at the other end has ended. */
  forget(line: Line): void {
    this.ends.inc();
    const told = this.last.get(line);
    this.last.delete(line);
    if (!told) return;
    const totals = told.filter(({ type }) => !isMomentary(type));
    this.ended = this.ended.then((others) => together([others, totals]).getMetricsAsJSON());
  }

  private async askOne(line: Line): Promise<void> {
    try {
      const told = await line.ask(metricsOfOne, null);
      // One that ended meanwhile is among the ended already.
      if (line.isOpen) this.last.set(line, told);
    } catch {
      // It hangs or has just ended: what it told last stands.
    }
  }
}

// prom-client's types say an enumeration of numbers, what it tells are names.
const isMomentary = (type: unknown) => type === 'gauge';

function together(told: readonly Told[]): Registry {
  const counted = told.map((metrics) =>
    metrics.map((metric) => ({ ...metric, aggregator: aggregatorOf(metric) })),
  );
  return AggregatorRegistry.aggregate(counted);
}

function aggregatorOf({ name, aggregator }: Told[number]): Told[number]['aggregator'] {
  // Left out by default; the newest start tells that one was replaced.
  if (name === 'process_start_time_seconds') return 'max';
  // Of the event loop's delay: an average hides the process that is late.
  return aggregator === 'average' ? 'max' : aggregator;
}
