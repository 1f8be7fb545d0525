import type { PlatformApi } from './apis.js';
import { blockApi, transactionQuestion, utxosQuestion } from './block-api.js';
import type { Caller } from './caller.js';
import { NodeError } from './error.js';
import type { Heads } from './heads.js';
import { answerBytes, oneCall } from './question.js';
import { Reader } from './read.js';

const P = { chain: 'P', path: '/ext/bc/P', service: 'platform' } as const;
const read = new Reader(P.path);
const statuses = ['Committed', 'Aborted', 'Processing', 'Dropped', 'Unknown'] as const;

/** `/ext/bc/P`. */
export function platformApi(caller: Caller, heads: Heads): PlatformApi {
  const small = <T>(method: string, params: object, reading: (result: unknown) => T) =>
    oneCall(P.path, `platform.${method}`, params, answerBytes.small, reading);
  return {
    ...blockApi(caller, heads, P),
    transaction: async (id, { prove, ...terms } = {}) => {
      const question = transactionQuestion(P, 'getTx', id, (bytes) => bytes);
      return (await caller.call({ ...question, prove }, terms)).value;
    },
    transactionStatus: async (id, terms) => {
      const question = small('getTxStatus', { txID: id }, (result) => {
        const status = statuses.find((each) => each === read.member(result, 'status'));
        if (!status) throw read.unreadable('a status was expected');
        return status;
      });
      return (await caller.call(question, terms)).value;
    },
    rewardUtxos: async (id, { prove, ...terms } = {}) => {
      const params = { txID: id, encoding: 'hex' };
      const question = oneCall(P.path, 'platform.getRewardUTXOs', params, answerBytes.block, (result) =>
        read.list(read.member(result, 'utxos')).map((utxo) => read.checked(utxo)),
      );
      return (await caller.call({ ...question, prove }, terms)).value;
    },
    utxos: async (request, terms) => (await caller.call(utxosQuestion(P, request), terms)).value,
    currentSupply: async (terms) => {
      const question = small('getCurrentSupply', {}, (result) => read.whole(read.member(result, 'supply')));
      return (await caller.call(question, terms)).value;
    },
    validatorFeeConfig: async (terms) => {
      const question = small('getValidatorFeeConfig', {}, (result) => ({
        target: read.whole(read.member(result, 'target')),
        minPrice: read.whole(read.member(result, 'minPrice')),
        excessConversionConstant: read.whole(read.member(result, 'excessConversionConstant')),
      }));
      try {
        return (await caller.call(question, terms)).value;
      } catch (error) {
        if (error instanceof NodeError && error.reason === 'method-missing') return null;
        throw error;
      }
    },
    stakingAssetId: async (terms) => {
      const question = small('getStakingAssetID', {}, (result) => read.text(read.member(result, 'assetID')));
      return (await caller.call(question, terms)).value;
    },
    timestamp: async (terms) => {
      const question = small('getTimestamp', {}, (result) => {
        const seconds = Date.parse(read.text(read.member(result, 'timestamp'))) / 1000;
        if (!Number.isFinite(seconds)) throw read.unreadable('a time was expected');
        return Math.floor(seconds);
      });
      return (await caller.call(question, terms)).value;
    },
  };
}
