import type { NodeFigures } from './status.js';

/** Seconds: the bounds of `NodeFigures.latency.within`. */
export const latencyBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

interface Latency {
  count: number;
  seconds: number;
  within: number[];
}

/** Counts requests by method and outcome, both from closed sets. */
export class Figures {
  private readonly requests = new Map<string, Map<string, number>>();
  private readonly latency = new Map<string, Latency>();

  /** @param outcome `ok`, the name of a failure, or `given-up` */
  count(method: string, outcome: string, seconds: number): void {
    const outcomes = this.requests.get(method) ?? new Map<string, number>();
    this.requests.set(method, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1));
    const latency = this.latency.get(method) ?? { count: 0, seconds: 0, within: latencyBounds.map(() => 0) };
    this.latency.set(method, latency);
    latency.count += 1;
    latency.seconds += seconds;
    latencyBounds.forEach((bound, index) => {
      if (seconds <= bound) latency.within[index]! += 1;
    });
  }

  read(): NodeFigures {
    return {
      requests: [...this.requests].flatMap(([method, outcomes]) =>
        [...outcomes].map(([outcome, count]) => ({ method, outcome, count })),
      ),
      latency: [...this.latency].map(([method, { within, ...rest }]) => ({
        method,
        ...rest,
        within: [...within],
      })),
    };
  }
}
