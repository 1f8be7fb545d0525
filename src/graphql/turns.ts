import { setImmediate } from 'node:timers/promises';
import { AppError } from '../errors.js';
import { Gate } from '../gate.js';
import type { Config } from '../config.js';

/** Time that operations which begin may take of one turn of the event loop before others get theirs, milliseconds. */
const SLICE_MS = 5;
/** Callers that may have all of their places taken at the same time. */
const CALLERS = 4;
const RETRY_SECONDS = 2;

/**
 * Lets client operations run in turns. One of thirty lists takes tens of milliseconds of the event loop before its
 * first statement, and its statements fill the queue of the pool: a caller who sends 200 of them at once may hold up
 * itself, not the others. So a caller has as many operations under way as the pool has connections, further ones wait,
 * and those that begin leave the event loop after a slice of time.
 */
export class Turns {
  private readonly underWay: Gate;
  private readonly beginning = new Gate({ places: 1 });
  private turnBegan: number | undefined;

  constructor(private readonly config: Pick<Config, 'DATABASE_POOL' | 'REQUEST_TIMEOUT_MS'>) {
    const { DATABASE_POOL } = config;
    this.underWay = new Gate({ places: CALLERS * DATABASE_POOL, placesOfOne: DATABASE_POOL });
  }

  /** @throws AppError SERVICE_UNAVAILABLE when the operation's turn does not come in time; what `operation` throws */
  run<T>(caller: string, operation: () => T | Promise<T>): Promise<T> {
    const visitor = { caller, deadline: Date.now() + this.config.REQUEST_TIMEOUT_MS, refusal: busy };
    return this.underWay.pass(visitor, async () => {
      const [result] = await this.beginning.pass(visitor, () => this.begin(operation));
      return result;
    });
  }

  /** In a list, so that the beginning does not wait for the end. */
  private async begin<T>(operation: () => T | Promise<T>): Promise<[T | Promise<T>]> {
    this.turnBegan ??= this.beginTurn();
    const result = (async () => operation())();
    // Whoever awaits it comes later.
    result.catch(() => undefined);
    if (performance.now() - this.turnBegan > SLICE_MS) await setImmediate();
    return [result];
  }

  private beginTurn(): number {
    void setImmediate().then(() => (this.turnBegan = undefined));
    return performance.now();
  }
}

function busy(): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'The service is busy with other operations of this client or of others; try again soon, or request less at once',
    { retryAfterSeconds: RETRY_SECONDS },
  );
}
