import {
  chainName,
  networks,
  parseNetwork,
  primaryChains,
  type Network,
  type PrimaryChain,
} from '../avalanche/networks.js';
import { quote } from '../errors.js';
import { IngestError } from './errors.js';
import type { ImportScope } from './kind.js';

/** What a file name or the options say about a file's scope. */
export interface ScopeParts {
  network?: string | undefined;
  chain?: string | undefined;
  /** What all rows of a file of subnet metrics are of, where they do not say it themselves. */
  subnetId?: string | undefined;
  metric?: string | undefined;
}

/** The scope of files of one network. */
export interface NetworkScope extends ImportScope {
  readonly network: Network;
}

/** The scope of files of one primary network chain. */
export interface PrimaryScope extends NetworkScope {
  readonly chain: PrimaryChain;
}

/** @throws IngestError */
export function readNetworkPart({ network }: ScopeParts): Network {
  const known = network === undefined ? null : parseNetwork(network);
  if (known) return known;
  const problem = network === undefined ? 'the network is missing' : `${quote(network)} is not a network`;
  throw new IngestError(`${problem}; --network takes ${networks.join(' or ')}`);
}

/** @throws IngestError */
export function primaryScope(parts: ScopeParts): PrimaryScope {
  const network = readNetworkPart(parts);
  const chain = primaryChains.find((each) => parts.chain === each || parts.chain === chainName(each));
  if (chain) return { network, chain };
  const problem =
    parts.chain === undefined ? 'the chain is missing' : `${quote(parts.chain)} is not a chain of ${network}`;
  throw new IngestError(`${problem}; --chain takes ${primaryChains.join(', ')}`);
}
