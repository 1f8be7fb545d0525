import type { NodeFacts } from '../../src/follow/network/node-facts.js';
import { idOf } from './ledger-rows.js';

/** What a node of a developer's own network says, of network 1337, whose addresses begin with custom1. */
export const ownFacts: NodeFacts = {
  networkId: 1337n,
  genesis: idOf('own genesis'),
  xChainId: idOf('own X-chain'),
  cChainId: idOf('own C-chain'),
  avaxAssetId: idOf('own AVAX'),
  cEvmChainId: 99_999n,
};

/** The same as it is stored under the name fuji. */
export const ownRow = { ...ownFacts, network: 'fuji', hrp: 'custom', importing: null } as const;
