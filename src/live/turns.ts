import { AppError } from '../errors.js';
import { ConcurrencyLimit, shareOf } from '../concurrency-limit.js';

/** How long a stream waits for its turn, milliseconds. Its client has heartbeats meanwhile. */
const WAIT_MS = 60_000;
/** After which time there may be room for another stream, seconds. */
export const RETRY_SECONDS = 5;

/** Who waits for a turn. */
export interface Waiter {
  readonly caller: string;
  /** Aborted when its turn is no longer wanted. */
  readonly signal: AbortSignal;
}

/**
 * The turns in which streams use the database. As many run at a time as all streams have connections, so that
 * a stream which is in turn has one and those that wait only wait here. Callers take turns: one whose
 * streams are all behind delays its own.
 */
export class Turns {
  private readonly limit: ConcurrencyLimit;

  /** @param connections that all streams have together @param streams that may be open */
  constructor(connections: number, streams: number) {
    this.limit = new ConcurrencyLimit({
      running: connections,
      runningPerCaller: Math.ceil(connections / 2),
      // A stream waits for one thing at a time.
      waiting: streams,
      waitingPerCaller: shareOf(streams),
    });
  }

  /**
   * Does work when it is the caller's turn.
   *
   * @param waitMs how long it waits, milliseconds
   * @throws AppError why the stream was ended, where its client is to know; SERVICE_UNAVAILABLE when its turn
   *   does not come in time or its client leaves
   */
  take<T>({ caller, signal }: Waiter, work: () => Promise<T>, waitMs = WAIT_MS): Promise<T> {
    const refusal = () => (signal.reason instanceof AppError ? signal.reason : behind());
    return this.limit.run({ caller, deadline: Date.now() + waitMs, refusal, signal }, work);
  }

  /**
   * What is made once for all streams that want it, by the one whose turn comes first: a caller that is
   * behind keeps nobody else waiting, and who finds that another makes it leaves its turn to the next one.
   *
   * @param known what is being made or was
   */
  async once<T>(waiter: Waiter, known: () => Promise<T> | undefined, make: () => Promise<T>): Promise<T> {
    const soon = known();
    if (soon) return soon;
    // Within an object: the promise of another's work would keep the turn until it settles.
    const { of } = await this.take(waiter, async () => ({ of: known() ?? (await make()) }));
    return of;
  }
}

const behind = () =>
  new AppError(
    'SERVICE_UNAVAILABLE',
    'The service is behind with its streams; subscribe again after the last cursor',
    { retryAfterSeconds: RETRY_SECONDS },
  );
