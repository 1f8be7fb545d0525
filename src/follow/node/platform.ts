import type { PlatformApi } from './apis.js';
import { blockApi, transactionQuestion, utxosQuestion } from './block-api.js';
import type { Caller } from './caller.js';
import type { Heads } from './heads.js';
import { answerBytes, oneCall, readBy } from './question.js';
import { stakerApi } from './staker-answers.js';
import { stateApi, unlessMissing } from './platform-state.js';
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
    transaction: async (id, { read: use, ...terms } = {}) => {
      const question = transactionQuestion(P, 'getTx', id, (bytes) => bytes);
      return (await caller.call(readBy(question, use), terms)).value;
    },
    transactionStatus: async (id, terms) => {
      const question = small('getTxStatus', { txID: id }, (result) => {
        const status = statuses.find((each) => each === read.member(result, 'status'));
        if (!status) throw read.unreadable('a status was expected');
        return status;
      });
      return (await caller.call(question, terms)).value;
    },
    rewardUtxos: (id, { read: use, ...terms } = {}) => {
      const params = { txID: id, encoding: 'hex' };
      const question = oneCall(P.path, 'platform.getRewardUTXOs', params, answerBytes.block, (result) =>
        read.list(read.member(result, 'utxos')).map((utxo) => read.checked(utxo)),
      );
      return unlessMissing(caller.call(readBy(question, use), terms));
    },
    utxos: async (request, terms) => (await caller.call(utxosQuestion(P, request), terms)).value,
    ...stateApi(caller),
    ...stakerApi(caller),
    validatorFeeConfig: async (terms) => {
      const question = small('getValidatorFeeConfig', {}, (result) => ({
        target: read.whole(read.member(result, 'target')),
        minPrice: read.whole(read.member(result, 'minPrice')),
        excessConversionConstant: read.positive(read.member(result, 'excessConversionConstant')),
      }));
      return unlessMissing(caller.call(question, terms));
    },
    stakingAssetId: async (terms) => {
      const question = small('getStakingAssetID', {}, (result) => read.id(read.member(result, 'assetID')));
      return (await caller.call(question, terms)).value;
    },
    timestamp: async (terms) => {
      const question = small('getTimestamp', {}, (result) => read.seconds(read.member(result, 'timestamp')));
      return (await caller.call(question, terms)).value;
    },
  };
}
