import { pauseAfter, type Pauses } from '../pauses.js';
import type { NodeError } from './error.js';

/** Doubtful answers in a row after which a cooldown starts. */
const DOUBTS = 3;

/**
 * The cooldown of an endpoint or one of its paths: it gets no call until the end. Each failure after a
 * cooldown makes the next one longer.
 */
export class Cooldown {
  private failures = 0;
  private doubts = 0;
  private good = 0;
  /** Pauses since the last good answer. */
  private spell = 0;
  private end = 0;
  private why: NodeError | null = null;

  /** @param forgivenAfter so many good answers forget the failures */
  constructor(
    private readonly pauses: Pauses,
    private readonly forgivenAfter: number,
  ) {}

  /** The end of the cooldown, milliseconds since 1970; 0 if there is none. */
  get until(): number {
    return this.end > Date.now() ? this.end : 0;
  }

  /** Why the cooldown started, until the next good answer; null if there was none since. */
  get error(): NodeError | null {
    return this.why;
  }

  /**
   * It failed. Calls that had started before the pause do not make it longer.
   *
   * @param leastMs at least so long, within the bounds
   * @returns the number of this cooldown since the last good answer; 0 if none starts
   */
  failed(error: NodeError, leastMs = 0): number {
    if (this.until > 0) return 0;
    this.why = error;
    this.good = 0;
    this.failures += 1;
    this.spell += 1;
    const pause = Math.max(pauseAfter(this.failures, this.pauses), Math.min(leastMs, this.pauses.most));
    this.end = Date.now() + pause;
    return this.spell;
  }

  /** A useless answer, which may happen once. @returns as `failed` */
  doubted(error: NodeError): number {
    this.doubts += 1;
    return this.doubts < DOUBTS ? 0 : this.failed(error);
  }

  /** It answered. @returns how many cooldowns there were before */
  answered(): number {
    this.doubts = 0;
    if (this.failures === 0 || this.until > 0) return 0;
    const { spell } = this;
    this.why = null;
    this.spell = 0;
    this.good += 1;
    if (this.good >= this.forgivenAfter) this.failures = 0;
    return spell;
  }
}
