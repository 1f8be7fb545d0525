/** How a process is stopped; passed to everything that takes long or uses something outside the process. */
export interface Stop {
  /** Aborted when the process should end: start nothing new, and release everything. */
  readonly asked: AbortSignal;
  /** Aborted when nothing may be awaited any longer: PostgreSQL is stopped without its last checkpoint. */
  readonly atOnce: AbortSignal;
}

/** Thrown by work that a stop cut short. */
export class Stopped extends Error {
  constructor(message = 'this process is stopping') {
    super(message);
    this.name = 'Stopped';
  }
}

/** For callers that are never stopped: tests, and programs that close by themselves. */
export const neverStopped: Stop = {
  asked: new AbortController().signal,
  atOnce: new AbortController().signal,
};

/**
 * The work's outcome, or the signal's reason as soon as it is aborted. The work then continues, and its
 * outcome is ignored.
 */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    const forget = () => signal.removeEventListener('abort', giveUp);
    void work.then(resolve, reject).finally(forget);
  });
}

/** Number of parts into which `within` divides its time. */
const PARTS = 20;

/**
 * The work's outcome, or Stopped after so many milliseconds. The work then continues, and its outcome is
 * ignored. Time in which this process stood still, perhaps with the answer unread, counts as one twentieth at
 * most.
 */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const late = new AbortController();
  const tooLate = new Stopped(`not finished within ${milliseconds} ms`);
  let parts = 0;
  const timer = setInterval(() => {
    if ((parts += 1) === PARTS) late.abort(tooLate);
  }, milliseconds / PARTS);
  try {
    return await unlessAborted(late.signal, work);
  } finally {
    clearInterval(timer);
  }
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
