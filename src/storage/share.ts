import { AppError } from '../errors.js';

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
  private readonly shares = new Map<string, Share>();

  constructor(private readonly options: ShareOptions) {}

  /** Callers that have something running or waiting. */
  get size(): number {
    return this.shares.size;
  }

  /**
   * Runs `work` when the caller has less than its share under way.
   *
   * @throws AppError SERVICE_UNAVAILABLE when its turn does not come in time
   */
  async run<T>(identity: string, work: () => Promise<T>): Promise<T> {
    let share = this.shares.get(identity);
    if (!share) this.shares.set(identity, (share = { used: 0, waiting: [] }));
    if (share.used < this.options.most) share.used += 1;
    else await this.turn(share);
    try {
      return await work();
    } finally {
      const next = share.waiting.shift();
      if (next) next();
      else if ((share.used -= 1) === 0) this.shares.delete(identity);
    }
  }

  private turn({ waiting }: Share): Promise<void> {
    const { most, patience } = this.options;
    if (waiting.length >= this.options.waiting) return Promise.reject(shareIsUsed(most));
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(shareIsUsed(most));
      }, patience);
      waiting.push(enter);
    });
  }
}

interface Share {
  used: number;
  /** Who waits, in order; each is called when its turn has come. */
  waiting: (() => void)[];
}

function shareIsUsed(most: number): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `You are using your whole share of the service, ${most} database connection${most === 1 ? '' : 's'} at a time; ` +
      'send fewer requests at once, or try again soon',
    { retryAfterSeconds: RETRY_SECONDS },
  );
}
