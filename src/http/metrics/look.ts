import { setTimeout as sleep } from 'node:timers/promises';

/** Gives calls that come while one is running the outcome of that one. */
export function sharedWhileRunning<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => (running ??= work().finally(() => (running = undefined)));
}

/**
 * Shares one result among all callers: work starts at most once in so many milliseconds, and earlier calls
 * wait for the next start. So no caller gets a result that is older than the last one.
 */
export function atMostEvery<T>(milliseconds: number, work: () => Promise<T>): () => Promise<T> {
  let begunAt = -Infinity;
  return sharedWhileRunning(async () => {
    const wait = begunAt + milliseconds - performance.now();
    if (wait > 0) await sleep(wait, undefined, { ref: false });
    begunAt = performance.now();
    return work();
  });
}

/**
 * Waits until work has ended, but no longer than so many milliseconds; then the work continues and is
 * ignored. It must not fail.
 */
export async function waitAtMost(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
