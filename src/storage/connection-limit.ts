import { AppError } from '../errors.js';
import { ConcurrencyLimit, shareOf } from '../concurrency-limit.js';

export interface ConnectionLimitOptions {
  /** Most pieces of work of one caller that run at a time. */
  running: number;
  /** Most pieces of work of one caller that wait; further ones are refused at once. */
  waiting: number;
  /** How long they wait, milliseconds. */
  timeoutMs: number;
}

const RETRY_SECONDS = 2;

/** Bounds how many of the database's connections each caller uses at a time, none uses all. */
export class ConnectionLimit {
  private readonly limit: ConcurrencyLimit;

  constructor(private readonly options: ConnectionLimitOptions) {
    this.limit = new ConcurrencyLimit({
      running: Infinity,
      runningPerCaller: options.running,
      waitingPerCaller: options.waiting,
    });
  }

  /** Callers that have something running or waiting. */
  get size(): number {
    return this.limit.callers;
  }

  /**
   * Runs `work` when the caller uses less than its share of connections.
   *
   * @param timeoutMs how long it waits, milliseconds, if not as long as others
   * @throws AppError SERVICE_UNAVAILABLE when it cannot begin in time
   */
  run<T>(caller: string, work: () => Promise<T>, timeoutMs = this.options.timeoutMs): Promise<T> {
    const { running } = this.options;
    return this.limit.run(
      { caller, deadline: Date.now() + timeoutMs, refusal: () => shareIsUsed(running) },
      work,
    );
  }
}

/** The share of one caller in the connections of a pool. */
export const connectionsOfCaller = (pool: number): number => shareOf(pool, Math.ceil);

function shareIsUsed(most: number): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `You are using your whole share of the service, ${most} database connection${most === 1 ? '' : 's'} at a time; ` +
      'send fewer requests at once, or try again soon',
    { retryAfterSeconds: RETRY_SECONDS },
  );
}
