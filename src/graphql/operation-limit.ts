import { setImmediate } from 'node:timers/promises';
import { AppError } from '../errors.js';
import { ConcurrencyLimit } from '../concurrency-limit.js';
import type { Config } from '../config.js';

/** How long operations may begin, one after the other, before other work runs, milliseconds. */
const SLICE_MS = 5;
/** Callers that may have as many operations running as one caller may, at the same time. */
const CALLERS = 4;
const RETRY_SECONDS = 2;

/**
 * Bounds how many operations of a caller run at a time. One of thirty lists takes tens of milliseconds of the
 * event loop before its first statement, and its statements fill the queue of the pool: a caller who sends
 * 200 of them at once may delay itself, not the others. So a caller has at most as many operations running as
 * the pool has connections, further ones wait, and operations that begin leave the event loop after a slice
 * of time.
 */
export class OperationLimit {
  private readonly underWay: ConcurrencyLimit;
  private readonly beginning = new ConcurrencyLimit({ running: 1 });
  private sliceBegan: number | undefined;

  constructor(private readonly config: Pick<Config, 'DATABASE_POOL' | 'REQUEST_TIMEOUT_MS'>) {
    const { DATABASE_POOL } = config;
    this.underWay = new ConcurrencyLimit({
      running: CALLERS * DATABASE_POOL,
      runningPerCaller: DATABASE_POOL,
    });
  }

  /** @throws AppError SERVICE_UNAVAILABLE when the operation cannot begin in time; what `operation` throws */
  run<T>(caller: string, operation: () => T | Promise<T>): Promise<T> {
    const options = { caller, deadline: Date.now() + this.config.REQUEST_TIMEOUT_MS, refusal: busy };
    return this.underWay.run(options, async () => {
      const [result] = await this.beginning.run(options, () => this.begin(operation));
      return result;
    });
  }

  /** Returns the promise in an array, so that awaiting the beginning does not await the end. */
  private async begin<T>(operation: () => T | Promise<T>): Promise<[T | Promise<T>]> {
    this.sliceBegan ??= this.beginSlice();
    const result = (async () => operation())();
    // It is awaited later: until then Node must not report its rejection as unhandled.
    result.catch(() => undefined);
    if (performance.now() - this.sliceBegan > SLICE_MS) await setImmediate();
    return [result];
  }

  private beginSlice(): number {
    void setImmediate().then(() => (this.sliceBegan = undefined));
    return performance.now();
  }
}

/** The refusal of an operation that does not begin in time. */
export function busy(): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'The service is busy with other operations of this client or of others; try again soon, or request less at once',
    { retryAfterSeconds: RETRY_SECONDS },
  );
}
