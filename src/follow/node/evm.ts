import { BatchSize } from './batch-size.js';
import type { Caller } from './caller.js';
import type { EvmApi, EvmBlock, EvmHeader } from './evm-apis.js';
import { inBatches, ofEach, type Kind } from './evm-batches.js';
import { emptyCall, evmState } from './evm-state.js';
import { wrongAnswer } from './failed.js';
import type { Heads } from './heads.js';
import { answerBytes, oneCall, readBy, type Question } from './question.js';
import { AnswerReader } from './answer-reader.js';
import { singleTraceQuestion, traceQuestion } from './traces.js';

const PATH = '/ext/bc/C/rpc';
const read = new AnswerReader(PATH);
const hex = (height: bigint) => `0x${height.toString(16)}`;
const heights = (from: bigint, count: number) =>
  Array.from({ length: count }, (_, index) => from + BigInt(index));

const headerKind: Kind<bigint, EvmHeader> = {
  path: PATH,
  method: 'eth_getHeaderByNumber',
  params: (height) => [hex(height)],
  height: (height) => height,
  read: readHeader,
};

/** @param isWhole with its transactions; else their hashes alone */
const blockKind = (isWhole: boolean) =>
  ({
    path: PATH,
    method: 'eth_getBlockByNumber',
    params: (height: bigint) => [hex(height), isWhole],
    height: (height: bigint) => height,
    read: (result: unknown, height: bigint): EvmBlock => {
      const { transactions, uncles, blockExtraData, withdrawals, ...header } = read.present(result) as Record<
        string,
        unknown
      >;
      void uncles;
      const all = read.list(transactions);
      return {
        header: readHeader(header, height),
        bodies: isWhole ? all : [],
        transactions: all.map((each) => read.text(isWhole ? read.member(each, 'hash') : each)),
        extraData: read.hex(blockExtraData ?? '0x'),
        withdrawals: read.list(withdrawals ?? []),
      };
    },
  }) satisfies Kind<bigint, EvmBlock>;
const [lightKind, wholeKind] = [blockKind(false), blockKind(true)];
/** A block as `eth_getBlockByNumber` prints it with its transactions. @throws Failed */
export const readWholeBlock = wholeKind.read;

const readAs = <T>(
  kind: typeof lightKind,
  use: (block: EvmBlock, height: bigint) => T = (block) => block as unknown as T,
): Kind<bigint, T> => ({
  ...kind,
  read: (result, height) => use(kind.read(result, height), height),
});

/** Two kinds: only a proved answer shows that a node answers well. One that was not proved may be broken. */
const provedBy = <V, T>(
  question: Question<V>,
  use: ((value: V, endpoint: string) => T) | undefined,
  of: 'traces' | 'receipts',
): Question<T> => ({ ...readBy(question, use), similar: use ? of : `unproved ${of}` });

/** What an endpoint is asked for its EVM chain id. */
export const chainIdQuestion = (): Question<bigint> =>
  oneCall(PATH, 'eth_chainId', [], answerBytes.small, (result) => read.chainId(result));

/** `/ext/bc/C/rpc`; of another EVM chain, its only path. */
export function evmApi(caller: Caller, heads: Heads): EvmApi {
  const size = new BatchSize();
  const one = <T>(method: string, params: readonly unknown[], reading: (result: unknown) => T) =>
    oneCall(PATH, method, params, answerBytes.small, reading);
  return {
    height: (options) =>
      heads.newest(
        'C',
        one('eth_blockNumber', [], (result) => read.quantity(result)),
        options,
      ),
    chainId: async (options) => (await caller.call(chainIdQuestion(), options)).value,
    headers: (from, count, options) => inBatches(caller, size, headerKind, heights(from, count), options),
    blocks: (from, count, { read: use, ...options } = {}) =>
      inBatches(caller, size, readAs(lightKind, use), heights(from, count), options),
    wholeBlocks: (from, count, { read: use, ...options } = {}) =>
      inBatches(caller, size, readAs(wholeKind, use), heights(from, count), options),
    blockOfEach: (height, { read: use, ...options }) => {
      const kind = readAs(lightKind, use);
      const each = ofEach(caller, kind, [height], options);
      return each.then((all) => all.map(({ value, endpoint }) => ({ value: value[0]!, endpoint })));
    },
    block: async (height, { read: use, ...options } = {}) =>
      (await inBatches(caller, size, readAs(lightKind, use), [height], options))[0]!,
    traces: (height, { read: use, ...options } = {}) =>
      caller.call(provedBy(traceQuestion(PATH, height), use, 'traces'), options),
    tracesOfEach: (height, options) => caller.askEach(traceQuestion(PATH, height), options),
    trace: (hash, height, { read: use, ...options } = {}) =>
      caller.call(provedBy(singleTraceQuestion(PATH, hash, height), use, 'traces'), options),
    receipts: (height, { read: use, ...options } = {}) => {
      const question = oneCall(PATH, 'eth_getBlockReceipts', [hex(height)], answerBytes.large, (result) =>
        read.list(read.present(result)),
      );
      const needing = { ...question, needs: { chain: 'C' as const, height } };
      return caller.call(provedBy(needing, use, 'receipts'), options);
    },
    ...evmState(PATH, caller),
    call: async (method, params, options) => {
      const question = oneCall(PATH, method, params, answerBytes.block, (result) => result);
      const similar = method === 'eth_call' ? { similar: emptyCall(PATH, params[1]) } : {};
      return (await caller.call({ ...question, ...similar }, options)).value;
    },
  };
}

function readHeader(result: unknown, height: bigint): EvmHeader {
  const header = read.present(result) as EvmHeader;
  if (read.quantity(read.member(header, 'number')) !== height) {
    throw wrongAnswer(PATH, 'wrong', `block ${height} was asked for, and another came`);
  }
  read.text(read.member(header, 'hash'));
  return header;
}
