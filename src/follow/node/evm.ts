import type { Answer, Terms } from './apis.js';
import { BatchSize } from './batch-size.js';
import type { Caller } from './caller.js';
import { NodeError } from './error.js';
import { rowNamed } from './error-table.js';
import type { EvmApi, EvmBlock, EvmHeader, EvmTerms } from './evm-apis.js';
import { wrongAnswer } from './failed.js';
import type { Heads } from './heads.js';
import { inOrder, isEnd } from './in-order.js';
import { answerBytes, oneCall, type Question } from './question.js';
import { Reader } from './read.js';
import { traceQuestion } from './traces.js';

const PATH = '/ext/bc/C/rpc';
const read = new Reader(PATH);
const hex = (height: bigint) => `0x${height.toString(16)}`;

/** What one call of a batch asks, for each height of a range. */
interface Kind<T> {
  readonly method: string;
  readonly params: (height: bigint) => readonly unknown[];
  readonly read: (result: unknown, height: bigint) => T;
}

const headerKind: Kind<EvmHeader> = {
  method: 'eth_getHeaderByNumber',
  params: (height) => [hex(height)],
  read: readHeader,
};

const blockKind: Kind<EvmBlock> = {
  method: 'eth_getBlockByNumber',
  params: (height) => [hex(height), false],
  read: (result, height) => {
    const { transactions, uncles, blockExtraData, ...header } = read.present(result) as Record<
      string,
      unknown
    >;
    void uncles;
    return {
      header: readHeader(header, height),
      transactions: read.list(transactions).map((hash) => read.text(hash)),
      extraData: read.hex(blockExtraData ?? '0x'),
    };
  },
};

/** What an endpoint is asked for its EVM chain id. */
export const chainIdQuestion = (): Question<bigint> =>
  oneCall(PATH, 'eth_chainId', [], answerBytes.small, (result) => read.quantity(result));

/** `/ext/bc/C/rpc`; of another EVM chain, its only path. */
export function evmApi(caller: Caller, heads: Heads): EvmApi {
  const size = new BatchSize();
  const one = <T>(method: string, params: readonly unknown[], reading: (result: unknown) => T) =>
    oneCall(PATH, method, params, answerBytes.small, reading);
  return {
    height: (terms) =>
      heads.highest(
        'C',
        one('eth_blockNumber', [], (result) => read.quantity(result)),
        terms,
      ),
    chainId: async (terms) => (await caller.call(chainIdQuestion(), terms)).value,
    headers: (from, count, terms) => range(caller, size, headerKind, from, count, terms),
    blocks: (from, count, terms) => range(caller, size, blockKind, from, count, terms),
    block: async (height, terms) => (await range(caller, size, blockKind, height, 1, terms))[0]!,
    traces: (height, { prove, ...terms } = {}) =>
      caller.call({ ...traceQuestion(PATH, height), prove }, terms),
    receipts: (height, { prove, ...terms } = {}) => {
      const question = oneCall(PATH, 'eth_getBlockReceipts', [hex(height)], answerBytes.large, (result) =>
        read.list(read.present(result)),
      );
      return caller.call({ ...question, needs: { chain: 'C', height }, prove }, terms);
    },
    call: async (method, params, terms) => {
      const question = oneCall(PATH, method, params, answerBytes.block, (result) => result);
      return (await caller.call(question, terms)).value;
    },
  };
}

/** In batches, several at a time, in order; fewer where the chain ends. */
async function range<T>(
  caller: Caller,
  size: BatchSize,
  kind: Kind<T>,
  from: bigint,
  count: number,
  { prove, signal, ...terms }: EvmTerms<T> = {},
): Promise<Answer<T>[]> {
  const step = size.now;
  const batches = await inOrder(
    Math.ceil(count / step),
    (place, inner) => {
      const start = place * step;
      const asked = { from: from + BigInt(start), count: Math.min(step, count - start) };
      return batch(caller, size, { kind, prove }, asked, { ...terms, signal: inner });
    },
    signal,
  );
  const end = batches.findIndex((each, place) => each.length < Math.min(step, count - place * step));
  return (end < 0 ? batches : batches.slice(0, end + 1)).flat();
}

/** One batch; in halves when it fails as a batch does. */
async function batch<T>(
  caller: Caller,
  size: BatchSize,
  of: { kind: Kind<T>; prove: EvmTerms<T>['prove'] },
  { from, count }: { from: bigint; count: number },
  terms: Terms,
): Promise<Answer<T>[]> {
  try {
    const { value, endpoint } = await caller.call(question(of, from, count), terms);
    size.good(count);
    return value.map((each) => ({ value: each, endpoint }));
  } catch (error) {
    if (count === 1 || !(isEnd(error) || halves(error))) throw error;
    if (halves(error)) size.failed(count);
  }
  const half = Math.ceil(count / 2);
  const first = await batch(caller, size, of, { from, count: half }, terms);
  if (first.length < half) return first;
  try {
    const rest = { from: from + BigInt(half), count: count - half };
    return [...first, ...(await batch(caller, size, of, rest, terms))];
  } catch (error) {
    if (isEnd(error)) return first;
    throw error;
  }
}

function question<T>(
  { kind, prove }: { kind: Kind<T>; prove: EvmTerms<T>['prove'] },
  from: bigint,
  count: number,
): Question<T[]> {
  const heights = Array.from({ length: count }, (_, place) => from + BigInt(place));
  return {
    path: PATH,
    method: kind.method,
    calls: heights.map((height) => ({ method: kind.method, params: kind.params(height) })),
    maxBytes: count === 1 ? answerBytes.block : answerBytes.large,
    read: (results) => results.map((result, place) => kind.read(result, heights[place]!)),
    needs: { chain: 'C', height: heights.at(-1)! },
    prove:
      prove &&
      ((values) => {
        const wrong = values.map((value, place) => prove(value, heights[place]!));
        return wrong.find((each) => each !== null) ?? null;
      }),
  };
}

function halves(error: unknown): boolean {
  return error instanceof NodeError && rowNamed(error.reason)?.halves === true;
}

function readHeader(result: unknown, height: bigint): EvmHeader {
  const header = read.present(result) as EvmHeader;
  if (read.quantity(read.member(header, 'number')) !== height) {
    throw wrongAnswer(PATH, 'wrong', `block ${height} was asked for, and another came`);
  }
  read.text(read.member(header, 'hash'));
  return header;
}
