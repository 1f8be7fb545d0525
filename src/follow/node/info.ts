import { forkTimes, type KnownForkTimes, type InfoApi, type Terms } from './apis.js';
import type { Caller } from './caller.js';
import { answerBytes, infoPath, oneCall } from './question.js';
import { Reader } from './read.js';

const read = new Reader(infoPath);

/** `/ext/info`. What is the same on all nodes of a network is asked once; of this node, each time. */
export function infoApi(caller: Caller): InfoApi {
  const known = new Map<string, Promise<unknown>>();
  const ask = async <T>(
    method: string,
    params: object,
    terms: Terms | undefined,
    reading: (result: unknown) => T,
  ) => {
    const question = oneCall(infoPath, `info.${method}`, params, answerBytes.small, reading);
    return (await caller.call(question, terms)).value;
  };
  const once: typeof ask = (method, params, terms, reading) => {
    const key = method + JSON.stringify(params);
    const answer = known.get(key) ?? ask(method, params, terms, reading);
    known.set(key, answer);
    answer.catch(() => known.delete(key));
    return answer as Promise<never>;
  };
  const text = (name: string) => (result: unknown) => read.text(read.member(result, name));
  return {
    networkId: (terms) =>
      once('getNetworkID', {}, terms, (result) => read.networkId(read.member(result, 'networkID'))),
    networkName: (terms) => once('getNetworkName', {}, terms, text('networkName')),
    blockchainId: (alias, terms) =>
      once('getBlockchainID', { alias }, terms, (result) => read.id(read.member(result, 'blockchainID'))),
    nodeVersion: (terms) => ask('getNodeVersion', {}, terms, text('version')),
    nodeId: (terms) => ask('getNodeID', {}, terms, text('nodeID')),
    upgrades: (terms) => once('upgrades', {}, terms, readUpgrades),
    isBootstrapped: (chain, terms) =>
      ask('isBootstrapped', { chain }, terms, (result) => read.member(result, 'isBootstrapped') === true),
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
