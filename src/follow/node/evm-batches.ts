import type { Answer, Terms } from './apis.js';
import type { BatchSize } from './batch-size.js';
import type { Caller } from './caller.js';
import { NodeError } from './error.js';
import { rowNamed } from './error-table.js';
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
  /** What it means that every node refuses a call for this reason (NodeError.reason): a value like any other. */
  readonly refusal?: { readonly reason: string; readonly value: T };
}

/** In batches, several at a time, in order; fewer where the chain ends. */
export async function inBatches<I, T>(
  caller: Caller,
  size: BatchSize,
  kind: Kind<I, T>,
  items: readonly I[],
  { signal, ...terms }: Terms = {},
): Promise<Answer<T>[]> {
  const step = size.now;
  const batches = await inOrder(
    Math.ceil(items.length / step),
    (place, inner) => {
      const part = items.slice(place * step, (place + 1) * step);
      return batch(caller, size, kind, part, { ...terms, signal: inner });
    },
    signal,
  );
  const end = batches.findIndex((each, place) => each.length < Math.min(step, items.length - place * step));
  return (end < 0 ? batches : batches.slice(0, end + 1)).flat();
}

/** One batch; in halves when it fails as a batch does. */
async function batch<I, T>(
  caller: Caller,
  size: BatchSize,
  kind: Kind<I, T>,
  items: readonly I[],
  terms: Terms,
): Promise<Answer<T>[]> {
  const { refusal } = kind;
  const count = items.length;
  try {
    const { value, endpoint } = await caller.call(question(kind, items), terms);
    size.good(count);
    return value.map((each) => ({ value: each, endpoint }));
  } catch (error) {
    const isRefused = error instanceof NodeError && error.reason === refusal?.reason;
    if (count === 1 && isRefused) return [{ value: refusal.value, endpoint: error.endpoint ?? '' }];
    if (count === 1 || !(isEnd(error) || halves(error))) throw error;
    // What one contract refuses says nothing of how many calls a batch may have.
    if (halves(error) && !isRefused) size.failed(count);
  }
  const half = Math.ceil(count / 2);
  const first = await batch(caller, size, kind, items.slice(0, half), terms);
  if (first.length < half) return first;
  try {
    return [...first, ...(await batch(caller, size, kind, items.slice(half), terms))];
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
  terms?: Terms,
): Promise<Answer<T[]>[]> => caller.askEach(question(kind, items), terms);

function question<I, T>(kind: Kind<I, T>, items: readonly I[]): Question<T[]> {
  return {
    path: kind.path,
    method: kind.method,
    calls: items.map((item) => ({ method: kind.method, params: kind.params(item) })),
    maxBytes: items.length === 1 ? answerBytes.block : answerBytes.large,
    read: (results) => results.map((result, place) => kind.read(result, items[place]!)),
    needs: { chain: 'C', height: kind.height(items.at(-1)!) },
  };
}

function halves(error: unknown): boolean {
  return error instanceof NodeError && rowNamed(error.reason)?.halves === true;
}
