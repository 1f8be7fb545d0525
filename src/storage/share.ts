import { AppError } from '../errors.js';
import { Gate } from '../gate.js';

export interface ShareOptions {
  /** Pieces of work of one caller that run at a time. */
  most: number;
  /** Pieces of work of one caller that wait; further ones are refused at once. */
  waiting: number;
  /** Milliseconds after which waiting is given up. */
  patience: number;
}

const RETRY_SECONDS = 2;

/** Bounds what each caller has of the database's connections at a time, so that no caller has them all. */
export class Shares {
  private readonly gate: Gate;

  constructor(private readonly options: ShareOptions) {
    this.gate = new Gate({ places: Infinity, placesOfOne: options.most, queueOfOne: options.waiting });
  }

  /** Callers that have something running or waiting. */
  get size(): number {
    return this.gate.callers;
  }

  /**
   * Runs `work` when the caller has less than its share under way.
   *
   * @throws AppError SERVICE_UNAVAILABLE when its turn does not come in time
   */
  run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const { most, patience } = this.options;
    return this.gate.pass(
      { caller, deadline: Date.now() + patience, refusal: () => shareIsUsed(most) },
      work,
    );
  }
}

function shareIsUsed(most: number): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `You are using your whole share of the service, ${most} database connection${most === 1 ? '' : 's'} at a time; ` +
      'send fewer requests at once, or try again soon',
    { retryAfterSeconds: RETRY_SECONDS },
  );
}
