import { forkTimes, type KnownForkTimes, type InfoApi, type CallOptions } from './apis.js';
import type { Caller } from './caller.js';
import { answerBytes, infoPath, oneCall } from './question.js';
import { AnswerReader } from './answer-reader.js';

const read = new AnswerReader(infoPath);

/**
 * `/ext/info`. What all nodes of a network say alike is asked once; what concerns a single node, each time.
 */
export function infoApi(caller: Caller): InfoApi {
  const known = new Map<string, Promise<unknown>>();
  const ask = async <T>(
    method: string,
    params: object,
    options: CallOptions | undefined,
    reading: (result: unknown) => T,
  ) => {
    const question = oneCall(infoPath, `info.${method}`, params, answerBytes.small, reading);
    return (await caller.call(question, options)).value;
  };
  const once: typeof ask = (method, params, options, reading) => {
    const key = method + JSON.stringify(params);
    const answer = known.get(key) ?? ask(method, params, options, reading);
    known.set(key, answer);
    answer.catch(() => known.delete(key));
    return answer as Promise<never>;
  };
  const text = (name: string) => (result: unknown) => read.text(read.member(result, name));
  return {
    networkId: (options) =>
      ask('getNetworkID', {}, options, (result) => read.networkId(read.member(result, 'networkID'))),
    networkName: (options) => once('getNetworkName', {}, options, text('networkName')),
    blockchainId: (alias, options) =>
      ask('getBlockchainID', { alias }, options, (result) => read.id(read.member(result, 'blockchainID'))),
    nodeVersion: (options) => ask('getNodeVersion', {}, options, text('version')),
    nodeId: (options) => ask('getNodeID', {}, options, text('nodeID')),
    nodeIds: async (options) => {
      const question = oneCall(infoPath, 'info.getNodeID', {}, answerBytes.small, text('nodeID'));
      const answers = await caller.askEach(question, options);
      return new Map(answers.map(({ endpoint, value }) => [endpoint, value]));
    },
    upgrades: (options) => once('upgrades', {}, options, readUpgrades),
    isBootstrapped: (chain, options) =>
      ask('isBootstrapped', { chain }, options, (result) => read.member(result, 'isBootstrapped') === true),
  };
}

/** Times of those forks that the node knows, Unix seconds. */
function readUpgrades(result: unknown): KnownForkTimes {
  const said = forkTimes.map((name) => [name, read.member(result, name)] as const);
  const known = said.filter(([, time]) => time !== undefined);
  // Every node that has this method knows the first of them.
  if (known.length === 0) throw read.unreadable('times of forks were expected');
  return Object.fromEntries(known.map(([name, time]) => [name, read.seconds(time)]));
}
