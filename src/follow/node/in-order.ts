import { NodeError } from './error.js';

/** What ends a run of blocks: the next one does not exist yet, or not here. */
export function isEnd(error: unknown): error is NodeError {
  return error instanceof NodeError && (error.reason === 'not-found' || error.reason === 'not-accepted-yet');
}

/**
 * Runs `count` pieces of work at a time and gives their outcomes in order, up to the first that has none yet. Any other
 * failure ends them all.
 *
 * @param work gets its place and a signal that ends it
 * @throws the first failure; the signal's reason
 */
export async function inOrder<T>(
  count: number,
  work: (place: number, signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
): Promise<T[]> {
  outer?.throwIfAborted();
  const stop = new AbortController();
  const giveUp = () => stop.abort(outer?.reason);
  outer?.addEventListener('abort', giveUp, { once: true });
  try {
    const outcomes = await Promise.allSettled(
      Array.from({ length: count }, async (_, place) => {
        try {
          return await work(place, stop.signal);
        } catch (error) {
          if (!isEnd(error)) stop.abort(error);
          throw error;
        }
      }),
    );
    stop.signal.throwIfAborted();
    const end = outcomes.findIndex(({ status }) => status === 'rejected');
    const [first] = outcomes;
    if (first?.status === 'rejected') throw first.reason;
    const good = end < 0 ? outcomes : outcomes.slice(0, end);
    return good.map((outcome) => (outcome as PromiseFulfilledResult<T>).value);
  } finally {
    outer?.removeEventListener('abort', giveUp);
  }
}
