import { setMaxListeners } from 'node:events';
import { unlessAborted } from '../../stop.js';

/**
 * Work whose outcome several wait for, each as long as it wants. It is given up when nobody waits for it any
 * more.
 */
export class SharedCall<T> {
  private waiting = 0;
  private isSettled = false;
  private readonly closing = new AbortController();
  private readonly outcome: Promise<T>;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.outcome = work(this.closing.signal).finally(() => (this.isSettled = true));
    // Everybody may have gone when it fails.
    this.outcome.catch(() => undefined);
  }

  /** Whether its outcome will never be there. */
  get isGivenUp(): boolean {
    return this.closing.signal.aborted;
  }

  /** Its outcome. Not for a call that is given up. @throws what the work throws; the signal's reason */
  async join(signal: AbortSignal): Promise<T> {
    if (this.isSettled) return this.outcome;
    this.waiting += 1;
    // Node.js warns from the eleventh listener on; there is one for each call.
    setMaxListeners(0, signal);
    try {
      return await unlessAborted(signal, this.outcome);
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0 && !this.isSettled)
        this.closing.abort(new Error('nobody waits for this answer any more'));
    }
  }
}

/** What is asked for at most once at a time, and remembered when it is there. */
export class SharedAnswer<T> {
  private call: SharedCall<T> | null = null;

  /** @param onAnswer called once for each outcome that is remembered */
  constructor(
    private readonly ask: (signal: AbortSignal) => Promise<T>,
    private readonly onAnswer: (answer: T) => void,
  ) {}

  /**
   * A failure is not remembered: whoever asks next asks again.
   *
   * @throws what `ask` throws; the signal's reason
   */
  get(signal: AbortSignal): Promise<T> {
    this.call = this.call === null || this.call.isGivenUp ? this.begin() : this.call;
    return this.call.join(signal);
  }

  private begin(): SharedCall<T> {
    const call: SharedCall<T> = new SharedCall(async (signal) => {
      try {
        const answer = await this.ask(signal);
        this.onAnswer(answer);
        return answer;
      } catch (error) {
        if (this.call === call) this.call = null;
        throw error;
      }
    });
    return call;
  }
}
