import { setTimeout as sleep } from 'node:timers/promises';

/** Bounds of pauses in milliseconds. */
export interface Pauses {
  readonly least: number;
  readonly most: number;
}

/** Between tries to reach something that may be back at any moment. */
export const usualPauses: Pauses = { least: 250, most: 30_000 };

/**
 * Milliseconds after which a reason that was logged is logged again, if what it stopped worked in between.
 */
const NEWS_AGAIN_MS = 600_000;

/** Resolves after this time, or when the signal is aborted. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

/**
 * Milliseconds before the try after so many failures in a row: random up to a bound that doubles ("full
 * jitter"), so that followers that failed together do not try again together.
 */
export function pauseAfter(failures: number, { least, most }: Pauses): number {
  const bound = Math.min(most, least * 2 ** Math.min(failures, 30));
  return least + Math.random() * (bound - least);
}

/** What is tried again after growing pauses until it works, and which reasons of its failures are news. */
export class GrowingPauses implements Pauses {
  private failures = 0;
  private logged = { reason: '', at: -Infinity };

  constructor(
    readonly least = usualPauses.least,
    readonly most = usualPauses.most,
  ) {}

  /** It failed. @returns milliseconds before the next try */
  next(): number {
    this.failures += 1;
    return pauseAfter(this.failures, this);
  }

  /** It failed; the next try is due. */
  wait(signal: AbortSignal): Promise<void> {
    return pause(this.next(), signal);
  }

  /**
   * Whether a reason is to be logged: not while the last one was the same, whatever its numbers. What works
   * for a moment and fails again is no news either.
   */
  isNews(text: string): boolean {
    const reason = text.replace(/\d\w*/g, '');
    const { logged } = this;
    const isSame = reason === logged.reason;
    const now = performance.now();
    if (isSame && (this.failures > 0 || now - logged.at < NEWS_AGAIN_MS)) return false;
    this.logged = { reason, at: now };
    return true;
  }

  /** It works again. */
  reset(): void {
    this.failures = 0;
  }
}
