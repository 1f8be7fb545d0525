import type { Answer, PlatformApi } from './apis.js';
import type { Caller } from './caller.js';
import { unlessRefused } from './error.js';
import { answerBytes, oneCall } from './question.js';
import { AnswerReader } from './answer-reader.js';
import type { ValidatorAnswer } from './state-answers.js';

const path = '/ext/bc/P';
const read = new AnswerReader(path);

/** What a node says of the P-chain's present state. */
export function stateApi(
  caller: Caller,
): Pick<PlatformApi, 'currentSupply' | 'validatorFeeState' | 'currentValidators' | 'validatorsAt'> {
  const ask = <T>(method: string, params: object, maxBytes: number, reading: (result: unknown) => T) =>
    oneCall(path, `platform.${method}`, params, maxBytes, reading);
  return {
    currentSupply: async ({ subnetId, ...options } = {}) => {
      const question = ask('getCurrentSupply', subnetOf(subnetId), answerBytes.small, (result) => ({
        supply: read.whole(read.member(result, 'supply')),
        height: read.wholeOrNull(read.member(result, 'height')),
      }));
      return (await caller.call(question, options)).value;
    },
    validatorFeeState: (options) => {
      const question = ask('getValidatorFeeState', {}, answerBytes.small, (result) => ({
        excess: read.whole(read.member(result, 'excess')),
        time: read.seconds(read.member(result, 'timestamp')),
      }));
      return unlessMissing(caller.call(question, options));
    },
    currentValidators: async ({ subnetId, ...options } = {}) => {
      const question = ask('getCurrentValidators', subnetOf(subnetId), answerBytes.large, (result) =>
        read.list(read.member(result, 'validators')).map(validatorOf),
      );
      return (await caller.call(question, options)).value;
    },
    validatorsAt: async (height, { subnetId, ...options } = {}) => {
      const params = { height: Number(height), ...subnetOf(subnetId) };
      const question = ask('getValidatorsAt', params, answerBytes.large, weightsOf);
      return (await caller.call(question, options)).value;
    },
  };
}

const weightsOf = (result: unknown) =>
  new Map(
    read.entries(result).map(([nodeId, one]) => [nodeId, read.whole(read.member(one, 'weight'))] as const),
  );

/** Null where a node does not offer the method. */
export const unlessMissing = async <T>(answer: Promise<Answer<T>>): Promise<T | null> =>
  (await unlessRefused(answer, ['method-missing'], null))?.value ?? null;

const subnetOf = (subnetId: string | undefined) => (subnetId === undefined ? {} : { subnetID: subnetId });

function validatorOf(value: unknown): ValidatorAnswer {
  const amount = (name: string) => read.wholeOrNull(read.member(value, name));
  return {
    id: read.text(read.member(value, 'validationID') ?? read.member(value, 'txID')),
    nodeId: read.text(read.member(value, 'nodeID')),
    weight: read.whole(read.member(value, 'weight')),
    potentialReward: amount('potentialReward'),
    delegateeReward: amount('accruedDelegateeReward'),
    delegatorWeight: amount('delegatorWeight'),
    balance: amount('balance'),
    uptime: read.percentOrNull(read.member(value, 'uptime')),
  };
}
