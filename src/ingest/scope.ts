import { chainName, networks, parseNetwork, primaryChains, type Network } from '../avalanche/networks.js';
import { quote } from '../errors.js';
import { IngestError } from './errors.js';
import type { EvmScope, PrimaryScope } from '../write/scope.js';

/** What a file name or the options say about a file's scope. */
export interface ScopeFields {
  network?: string | undefined;
  chain?: string | undefined;
  /** What all rows of a file of subnet metrics share, if they do not say it themselves. */
  subnetId?: string | undefined;
  metric?: string | undefined;
}

/** @throws IngestError */
export function readNetworkPart({ network }: ScopeFields): Network {
  const known = network === undefined ? null : parseNetwork(network);
  if (known) return known;
  const problem = network === undefined ? 'the network is missing' : `${quote(network)} is not a network`;
  throw new IngestError(`${problem}; --network takes ${networks.join(' or ')}`);
}

/** @throws IngestError */
export function primaryScope(fields: ScopeFields): PrimaryScope {
  const network = readNetworkPart(fields);
  const chain = primaryChains.find((each) => fields.chain === each || fields.chain === chainName(each));
  if (chain) return { network, chain };
  const problem =
    fields.chain === undefined
      ? 'the chain is missing'
      : `${quote(fields.chain)} is not a chain of ${network}`;
  throw new IngestError(`${problem}; --chain takes ${primaryChains.join(', ')}`);
}

/**
 * Reads the scope of files of one EVM chain.
 *
 * @param parse reads the chain's id; null for one that such files cannot have
 * @throws (the returned function) IngestError
 */
export function evmScope<Id>(parse: (text: string) => Id | null): (fields: ScopeFields) => EvmScope<Id> {
  return ({ chain }) => {
    const evmChainId = chain === undefined ? null : parse(chain);
    if (evmChainId !== null) return { evmChainId };
    const problem = chain === undefined ? 'the chain is missing' : `${quote(chain)} is not an EVM chain id`;
    throw new IngestError(`${problem}; --chain takes the decimal id, for example 43114`);
  };
}
