import type { Answer, CallOptions, EachOptions } from './apis.js';
import type { BatchSize } from './batch-size.js';
import type { Caller } from './caller.js';
import { BatchRefused, NodeError } from './error.js';
import { inOrder, isEnd } from './in-order.js';
import { answerBytes, type Question } from './question.js';

/** What one call of a batch asks, for each item. */
export interface Kind<I, T> {
  /** Of the chain's RPC. */
  readonly path: string;
  readonly method: string;
  readonly params: (item: I) => readonly unknown[];
  /** The block that a node must have to answer. */
  readonly height: (item: I) => bigint;
  readonly read: (result: unknown, item: I) => T;
  /**
   * Another call, which every node answers that answers calls of this kind. If it is answered, only this call
   * is refused.
   */
  readonly similar?: (item: I) => Question<unknown>;
  /** The value of a call that every node refuses while it answers similar ones. */
  readonly refused?: T;
}

/** In batches, several at a time, in order; fewer where the chain ends. */
export async function inBatches<I, T>(
  caller: Caller,
  size: BatchSize,
  kind: Kind<I, T>,
  items: readonly I[],
  { signal, ...options }: CallOptions = {},
): Promise<Answer<T>[]> {
  const step = size.now;
  const batches = await inOrder(
    Math.ceil(items.length / step),
    (index, inner) => {
      const part = items.slice(index * step, (index + 1) * step);
      return batch(caller, size, kind, part, { ...options, signal: inner });
    },
    signal,
  );
  const end = batches.findIndex((each, index) => each.length < Math.min(step, items.length - index * step));
  return (end < 0 ? batches : batches.slice(0, end + 1)).flat();
}

/** One batch; in halves when it fails as a batch does. */
async function batch<I, T>(
  caller: Caller,
  size: BatchSize,
  kind: Kind<I, T>,
  items: readonly I[],
  options: CallOptions,
): Promise<Answer<T>[]> {
  const { refused } = kind;
  const count = items.length;
  let left = options;
  try {
    const { value, endpoint } = await caller.call(question(kind, items), options);
    size.good(count);
    return value.map((each) => ({ value: each, endpoint }));
  } catch (error) {
    const isRefused = error instanceof NodeError && error.failureClass === 'refused';
    if (count === 1 && isRefused && refused !== undefined)
      return [{ value: refused, endpoint: error.endpoint ?? '' }];
    if (!(error instanceof BatchRefused)) throw error;
    if (error.isWhole) size.failed(count);
    left = { ...options, patienceMs: error.patienceMs };
  }
  const half = Math.ceil(count / 2);
  const first = await batch(caller, size, kind, items.slice(0, half), left);
  if (first.length < half) return first;
  try {
    return [...first, ...(await batch(caller, size, kind, items.slice(half), left))];
  } catch (error) {
    if (isEnd(error)) return first;
    throw error;
  }
}

/** What each endpoint says of a few items, in one batch; those that do not answer are left out. */
export const ofEach = <I, T>(
  caller: Caller,
  kind: Kind<I, T>,
  items: readonly I[],
  options?: EachOptions,
): Promise<Answer<T[]>[]> => caller.askEach(question(kind, items), options);

function question<I, T>(kind: Kind<I, T>, items: readonly I[]): Question<T[]> {
  return {
    path: kind.path,
    method: kind.method,
    calls: items.map((item) => ({ method: kind.method, params: kind.params(item) })),
    maxBytes: items.length === 1 ? answerBytes.block : answerBytes.large,
    read: (results) => results.map((result, index) => kind.read(result, items[index]!)),
    needs: { chain: 'C', height: kind.height(items.at(-1)!) },
    ...(items.length === 1 && kind.similar && { similar: kind.similar(items[0]!) }),
  };
}
