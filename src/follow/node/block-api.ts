import type { BlockApi, UtxoRequest } from './apis.js';
import type { Caller } from './caller.js';
import type { Heads } from './heads.js';
import { inOrder } from './in-order.js';
import { answerBytes, oneCall, readBy, type Question } from './question.js';
import { AnswerReader } from './answer-reader.js';

/** What P, X and the C-chain's atomic side have in common. */
export interface GorillaChain {
  readonly chain: 'P' | 'X' | 'C';
  readonly path: string;
  /** For example `platform`. */
  readonly service: string;
}

/** What P and X offer alike. */
export function blockApi(caller: Caller, heads: Heads, chainApi: GorillaChain): BlockApi {
  const { chain, path, service } = chainApi;
  const read = new AnswerReader(path);
  const block = (height: bigint): Question<Uint8Array> => {
    const params = { height: String(height), encoding: 'hex' };
    const method = `${service}.getBlockByHeight`;
    return {
      ...oneCall(path, method, params, answerBytes.block, (result) =>
        read.checked(read.member(result, 'block')),
      ),
      needs: { chain, height },
    };
  };
  const blockByHeight: BlockApi['blockByHeight'] = (height, { read: use, ...options } = {}) =>
    caller.call(readBy(block(height), use && ((value) => use(value, height))), options);
  return {
    height: (options) => {
      const question = oneCall(path, `${service}.getHeight`, {}, answerBytes.small, (result) =>
        read.whole(read.member(result, 'height')),
      );
      return heads.newest(chain, question, options);
    },
    blockByHeight,
    blocks: (from, count, { signal, ...options } = {}) =>
      inOrder(
        count,
        (index, inner) => blockByHeight(from + BigInt(index), { ...options, signal: inner }),
        signal,
      ),
    blockOfEach: (height, { read: use, ...options }) =>
      caller.askEach(
        readBy(block(height), (value) => use(value, height)),
        options,
      ),
    transaction: async (id, { read: use, ...options } = {}) => {
      const question = transactionQuestion(chainApi, 'getTx', id, (bytes) => bytes);
      return (await caller.call(readBy(question, use), options)).value;
    },
    utxos: async (request, options) => (await caller.call(utxosQuestion(chainApi, request), options)).value,
  };
}

/** `getTx` or `getAtomicTx`: the call, and how its bytes are read. */
export function transactionQuestion<T>(
  { path, service }: GorillaChain,
  method: string,
  id: string,
  more: (bytes: Uint8Array, result: unknown) => T,
): Question<T> {
  const read = new AnswerReader(path);
  const params = { txID: id, encoding: 'hex' };
  return oneCall(path, `${service}.${method}`, params, answerBytes.block, (result) =>
    more(read.checked(read.member(result, 'tx')), result),
  );
}

/** `getUTXOs`. */
export function utxosQuestion(
  { path, service }: GorillaChain,
  request: UtxoRequest,
): Question<readonly Uint8Array[]> {
  const read = new AnswerReader(path);
  const params = { ...request, encoding: 'hex' };
  return oneCall(path, `${service}.getUTXOs`, params, answerBytes.large, (result) =>
    read.list(read.member(result, 'utxos')).map((utxo) => read.checked(utxo)),
  );
}
