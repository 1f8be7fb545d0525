import type { AvmApi } from './apis.js';
import { blockApi, transactionQuestion, utxosQuestion } from './block-api.js';
import type { Caller } from './caller.js';
import type { Heads } from './heads.js';
import { answerBytes, oneCall, readBy } from './question.js';
import { Reader } from './read.js';

const X = { chain: 'X', path: '/ext/bc/X', service: 'avm' } as const;
const read = new Reader(X.path);

/** `/ext/bc/X`. */
export function avmApi(caller: Caller, heads: Heads): AvmApi {
  return {
    ...blockApi(caller, heads, X),
    transaction: async (id, { read: use, ...terms } = {}) => {
      const question = transactionQuestion(X, 'getTx', id, (bytes) => bytes);
      return (await caller.call(readBy(question, use), terms)).value;
    },
    assetDescription: async (asset, terms) => {
      const question = oneCall(
        X.path,
        'avm.getAssetDescription',
        { assetID: asset },
        answerBytes.small,
        (result) => ({
          assetId: read.text(read.member(result, 'assetID')),
          name: read.text(read.member(result, 'name')),
          symbol: read.text(read.member(result, 'symbol')),
          denomination: Number(read.whole(read.member(result, 'denomination'))),
        }),
      );
      return (await caller.call(question, terms)).value;
    },
    utxos: async (request, terms) => (await caller.call(utxosQuestion(X, request), terms)).value,
  };
}
