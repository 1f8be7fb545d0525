import type { AvaxApi } from './apis.js';
import { transactionQuestion, utxosQuestion } from './block-api.js';
import type { Caller } from './caller.js';
import { readBy } from './question.js';
import { AnswerReader } from './answer-reader.js';

const C = { chain: 'C', path: '/ext/bc/C/avax', service: 'avax' } as const;
const read = new AnswerReader(C.path);

/** `/ext/bc/C/avax`. */
export function avaxApi(caller: Caller): AvaxApi {
  return {
    atomicTransaction: async (id, { read: use, ...options } = {}) => {
      const question = transactionQuestion(C, 'getAtomicTx', id, (bytes, result) => {
        const height = read.member(result, 'blockHeight');
        return { bytes, height: height === undefined || height === null ? null : read.whole(height) };
      });
      return (await caller.call(readBy(question, use), options)).value;
    },
    utxos: async (request, options) => (await caller.call(utxosQuestion(C, request), options)).value,
  };
}
