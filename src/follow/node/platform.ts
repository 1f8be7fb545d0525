import type { PlatformApi } from './apis.js';
import { blockApi } from './block-api.js';
import type { Caller } from './caller.js';
import type { Heads } from './heads.js';
import { answerBytes, oneCall, readBy } from './question.js';
import { stakerApi } from './staker-answers.js';
import { stateApi, unlessMissing } from './platform-state.js';
import { AnswerReader } from './answer-reader.js';

const P = { chain: 'P', path: '/ext/bc/P', service: 'platform' } as const;
const read = new AnswerReader(P.path);

const rewardsQuestion = (id: string) =>
  oneCall(
    P.path,
    'platform.getRewardUTXOs',
    { txID: id, encoding: 'hex' },
    answerBytes.block,
    (result): readonly Uint8Array[] =>
      read.list(read.member(result, 'utxos')).map((utxo) => read.checked(utxo)),
  );

/** `/ext/bc/P`. */
export function platformApi(caller: Caller, heads: Heads): PlatformApi {
  const small = <T>(method: string, params: object, reading: (result: unknown) => T) =>
    oneCall(P.path, `platform.${method}`, params, answerBytes.small, reading);
  return {
    ...blockApi(caller, heads, P),
    rewardUtxos: (id, { read: use, ...options } = {}) =>
      unlessMissing(caller.call(readBy(rewardsQuestion(id), use), options)),
    rewardUtxosOfEach: (id, { read: use, ...options }) =>
      caller.askEach(readBy(rewardsQuestion(id), use), options),
    ...stateApi(caller),
    ...stakerApi(caller),
    validatorFeeConfig: async (options) => {
      const question = small('getValidatorFeeConfig', {}, (result) => ({
        target: read.whole(read.member(result, 'target')),
        minPrice: read.whole(read.member(result, 'minPrice')),
        excessConversionConstant: read.positive(read.member(result, 'excessConversionConstant')),
      }));
      return unlessMissing(caller.call(question, options));
    },
    stakingAssetId: async (options) => {
      const question = small('getStakingAssetID', {}, (result) => read.id(read.member(result, 'assetID')));
      return (await caller.call(question, options)).value;
    },
    timestamp: async (options) => {
      const question = small('getTimestamp', {}, (result) => read.seconds(read.member(result, 'timestamp')));
      return (await caller.call(question, options)).value;
    },
  };
}
