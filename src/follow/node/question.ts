import type { RpcCall } from './envelope.js';
import type { HeadChain } from './status.js';

/** Where a node says who it is; it answers there while its chains bootstrap. */
export const infoPath = '/ext/info';

/** Bounds of answers in bytes. */
export const answerBytes = {
  /** A height, a version, a name. */
  small: 1024 ** 2,
  /** A block or a transaction: messages of nodes have up to 2 MiB, and the genesis of a chain is larger. */
  block: 32 * 1024 ** 2,
  /** A page of outputs, a batch, the traces of a block. Read, it takes three to four times as much memory. */
  large: 64 * 1024 ** 2,
} as const;

/** One request to any endpoint. */
export interface NodeRequest {
  readonly path: string;
  /** The name of the method, also in metrics. */
  readonly method: string;
  /** One call; more than one are a batch, which only the EVM's server takes. */
  readonly calls: readonly RpcCall[];
  readonly maxBytes: number;
  /** It fails after so many times the client's longest silence; 1 when absent. */
  readonly silences?: number;
  /**
   * With what a refused call is compared, to know whether all such calls are refused (similar-calls.ts): with
   * calls of this kind that the endpoint has answered, or with another call. Absent: with nothing.
   */
  readonly similar?: 'traces' | 'receipts' | 'unproved traces' | 'unproved receipts' | Question<unknown>;
  /** Only endpoints whose head has this height are asked, if one is known that has it. */
  readonly needs?: { readonly chain: HeadChain; readonly height: bigint };
}

/** One request, and how its answer is read. */
export interface Question<T> extends NodeRequest {
  /** Reads the results, one for each call, of an endpoint with this printable name. @throws Failed */
  readonly read: (results: readonly unknown[], endpoint: string) => T;
}

/** The same question, whose answer the caller reads if it says how. */
export const readBy = <V, T>(
  question: Question<V>,
  read: (value: V, endpoint: string) => T = (value) => value as unknown as T,
): Question<T> => ({
  ...question,
  read: (results, endpoint) => read(question.read(results, endpoint), endpoint),
});

/** One call with one answer. */
export function oneCall<T>(
  path: string,
  method: string,
  params: unknown,
  maxBytes: number,
  read: (result: unknown) => T,
): Question<T> {
  return { path, method, calls: [{ method, params }], maxBytes, read: ([result]) => read(result) };
}
