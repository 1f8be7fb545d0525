import { setTimeout as sleep } from 'node:timers/promises';

const LEAST_MS = 250;
const MOST_MS = 30_000;

/** Resolves after this time, or when the signal is aborted. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** Pauses before something is tried again, each about twice as long as the one before. */
export class GrowingPauses {
  private failures = 0;

  constructor(
    private readonly least = LEAST_MS,
    private readonly most = MOST_MS,
  ) {}

  /** Half of a pause is random, so that followers that failed together do not try again together. */
  wait(signal: AbortSignal): Promise<void> {
    const milliseconds = Math.min(this.most, this.least * 2 ** this.failures);
    this.failures = Math.min(this.failures + 1, 30);
    return pause(milliseconds / 2 + (Math.random() * milliseconds) / 2, signal);
  }

  /** It works again. */
  reset(): void {
    this.failures = 0;
  }
}
