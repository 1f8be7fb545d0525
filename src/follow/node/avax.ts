import type { AvaxApi } from './apis.js';
import { transactionQuestion, utxosQuestion } from './block-api.js';
import type { Caller } from './caller.js';
import { Reader } from './read.js';

const C = { chain: 'C', path: '/ext/bc/C/avax', service: 'avax' } as const;
const read = new Reader(C.path);

/** `/ext/bc/C/avax`. */
export function avaxApi(caller: Caller): AvaxApi {
  return {
    atomicTransaction: async (id, { prove, ...terms } = {}) => {
      const question = transactionQuestion(C, 'getAtomicTx', id, (bytes, result) => {
        const height = read.member(result, 'blockHeight');
        return { bytes, height: height === undefined || height === null ? null : read.whole(height) };
      });
      const proved = prove && ((value: { bytes: Uint8Array }) => prove(value.bytes));
      return (await caller.call({ ...question, prove: proved }, terms)).value;
    },
    utxos: async (request, terms) => (await caller.call(utxosQuestion(C, request), terms)).value,
  };
}
