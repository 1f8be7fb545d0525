import type { InfoApi, Terms } from './apis.js';
import type { Caller } from './caller.js';
import { answerBytes, infoPath, oneCall } from './question.js';
import { Reader } from './read.js';

const read = new Reader(infoPath);

/** `/ext/info`. What is the same on all nodes of a network is asked once; of this node, each time. */
export function infoApi(caller: Caller): InfoApi {
  const known = new Map<string, Promise<unknown>>();
  const ask = async (method: string, params: object, terms?: Terms) => {
    const question = oneCall(infoPath, `info.${method}`, params, answerBytes.small, (result) => result);
    return (await caller.call(question, terms)).value;
  };
  const once = (method: string, params: object, terms?: Terms) => {
    const key = method + JSON.stringify(params);
    const answer = known.get(key) ?? ask(method, params, terms);
    known.set(key, answer);
    answer.catch(() => known.delete(key));
    return answer;
  };
  const text = async (answer: Promise<unknown>, name: string) => read.text(read.member(await answer, name));
  return {
    networkId: async (terms) => Number(await text(once('getNetworkID', {}, terms), 'networkID')),
    networkName: (terms) => text(once('getNetworkName', {}, terms), 'networkName'),
    blockchainId: (alias, terms) => text(once('getBlockchainID', { alias }, terms), 'blockchainID'),
    nodeVersion: async (terms) => ({ version: await text(ask('getNodeVersion', {}, terms), 'version') }),
    nodeId: (terms) => text(ask('getNodeID', {}, terms), 'nodeID'),
    upgrades: async (terms) => (await once('upgrades', {}, terms)) as Record<string, unknown>,
    isBootstrapped: async (chain, terms) => {
      const answer = await ask('isBootstrapped', { chain }, terms);
      return read.member(answer, 'isBootstrapped') === true;
    },
  };
}
