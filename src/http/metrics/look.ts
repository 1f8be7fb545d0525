import { setTimeout as sleep } from 'node:timers/promises';

/** Answers calls that come while one is running with that one's outcome. */
export function sharedWhileRunning<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => (running ??= work().finally(() => (running = undefined)));
}

/**
 * Answers all who ask with what they share: work begins once in so many milliseconds at most, and who comes sooner waits for
 * the next. So nobody is told what was before the last answer.
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

/** Waits until work has ended, but no longer than so many milliseconds; it then goes on unheeded. Work must not fail. */
export async function waitAtMost(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
