import { setMaxListeners } from 'node:events';
import { NodeError } from './error.js';

/** Failures that end a run of blocks: the next one does not exist yet, or not here. */
export const endReasons: ReadonlySet<string> = new Set(['not-found', 'not-accepted-yet']);

export function isEnd(error: unknown): error is NodeError {
  return error instanceof NodeError && endReasons.has(error.reason);
}

/**
 * Runs `count` pieces of work at a time and gives their outcomes in order, up to the first that has none yet.
 * Any other failure ends them all.
 *
 * @param work gets its index and a signal that ends it
 * @throws the first failure; the signal's reason
 */
export async function inOrder<T>(
  count: number,
  work: (index: number, signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
): Promise<T[]> {
  outer?.throwIfAborted();
  const stop = new AbortController();
  // Node.js warns from the eleventh listener on; there is one for each call.
  setMaxListeners(0, stop.signal, ...(outer ? [outer] : []));
  const giveUp = () => stop.abort(outer?.reason);
  outer?.addEventListener('abort', giveUp, { once: true });
  try {
    const outcomes = await Promise.allSettled(
      Array.from({ length: count }, async (_, index) => {
        try {
          return await work(index, stop.signal);
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
