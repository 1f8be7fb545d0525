import { type Aggregator, Counter, Gauge, type Registry } from 'prom-client';

/** One value of a metric, with its labels. */
export interface Sample {
  labels: Record<string, string>;
  value: number;
}

/**
 * Metrics that are read at each scrape from where their values are. `of` says how to combine those of several
 * processes of a gateway; absent: the sum. What is not known has no sample: 0 is a value.
 */
export interface ReadMetrics {
  gauge: (name: string, help: string, read: () => number | null, of?: Aggregator) => void;
  gauges: (name: string, help: string, labelNames: string[], read: () => Sample[], of?: Aggregator) => void;
  /** Totals that only rise. */
  counters: (name: string, help: string, labelNames: string[], read: () => Sample[], of?: Aggregator) => void;
}

export function readMetrics(registry: Registry): ReadMetrics {
  const registers = [registry];
  function gauges(
    name: string,
    help: string,
    labelNames: string[],
    read: () => Sample[],
    of: Aggregator = 'sum',
  ): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      aggregator: of,
      collect() {
        // So that series that no longer exist disappear. A reset gives one without labels the value 0.
        this.reset();
        if (labelNames.length === 0) this.remove();
        for (const { labels, value } of read()) this.set(labels, value);
      },
    });
  }
  function samples(value: number | null): Sample[] {
    return value === null ? [] : [{ labels: {}, value }];
  }
  return {
    gauges,
    gauge: (name, help, read, of) => gauges(name, help, [], () => samples(read()), of),
    counters(name, help, labelNames, read, of = 'sum') {
      new Counter({
        name,
        help,
        labelNames,
        registers,
        aggregator: of,
        collect() {
          this.reset();
          for (const { labels, value } of read()) this.inc(labels, value);
        },
      });
    },
  };
}
