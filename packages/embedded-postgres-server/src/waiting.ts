/**
 * The work's outcome, or the signal's reason as soon as it is aborted. The work then continues, and its
 * outcome is ignored.
 */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

/** The work's outcome, or an error after so many milliseconds; the outcome is ignored then. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const late = new AbortController();
  const giveUp = () => late.abort(new Error(`no answer within ${milliseconds} ms`));
  // Timers run before sockets are read: after a pause of this process the answer may have arrived unread.
  const timer = setTimeout(() => setImmediate(giveUp), milliseconds);
  try {
    return await unlessAborted(late.signal, work);
  } finally {
    clearTimeout(timer);
  }
}
