import { createContextCache } from '@pothos/core';
import type { Hex } from 'viem';
import { EVM_MAX } from '../../avalanche/evm.js';
import { identityOf } from '../../avalanche/identity.js';
import type { Network } from '../../avalanche/networks.js';
import type { Context } from '../../graphql/context.js';
import { loadRow } from '../../graphql/row-loader.js';
import type { List, ListPage } from '../../lists/read.js';
import type { ChainNode } from '../chain/fields.js';
import { findChains } from '../chain/list.js';
import { chainOfBothNames } from '../chain/loaders.js';
import type { IcmMessageQuery } from '../icm-message/arguments.js';
import type { IcmMessageNode } from '../icm-message/fields.js';
import { icmMessageList } from '../icm-message/list.js';
import type { InternalTxNode } from '../internal-tx/fields.js';
import { chainInternalTxList, internalTxList } from '../internal-tx/list.js';
import { ownedTokenList } from '../nft/list.js';
import { networkOfChain } from './blockchain-loaders.js';
import { MOST_PLACES } from './candidate.js';
import type { Search } from './fields.js';
import { chainsOfHoldings, readEvmChains } from './store.js';

/** A list reads one row more than its page has. */
const firstRow = { direction: 'forward', limit: 0, after: null, before: null } as const;
const allBlocks = { startBlock: 0n, endBlock: EVM_MAX };
const anyMessage = {
  ...{ sourceBlockchainId: null, destinationBlockchainId: null, blockchainId: null, from: null, to: null },
  ...{ since: null, until: null, txHash: null, status: null },
};

/** Read once for each request. */
const storedChains = createContextCache(({ storage }: Context) => readEvmChains(storage));

/** The EVM chains on which is looked, with their networks: the first stored ones, and the C-chains. */
export async function evmChainsOf({ networks, context }: Search): Promise<ReadonlyMap<string, Network>> {
  const stored = await storedChains(context);
  const all = stored.map(({ evmChainId, network }) => [evmChainId, network] as const);
  const own = networks.map((network) => [String(identityOf(network).evmChainId), network] as const);
  return new Map([...all.filter(([, network]) => networks.includes(network)), ...own]);
}

/** The stored chains on which something names an address. */
export async function chainsOfAddress(
  address: Hex,
  chains: ReadonlyMap<string, Network>,
  search: Search,
): Promise<ChainNode[]> {
  const { context, networks } = search;
  const ids = [...chains.keys()];
  const [frames, tokens, holdings, ...messages] = await Promise.all([
    firstRows(internalTxList, ids, (evmChainId) => ({ evmChainId, address, ...allBlocks }), search),
    firstRows(
      ownedTokenList,
      ids,
      (evmChainId) => ({ evmChainId, owner: address, collection: null }),
      search,
    ),
    chainsOfHoldings(context.storage, ids, address),
    messageOf({ from: address }, search),
    messageOf({ to: address }, search),
  ]);
  const named = new Set([...namedBy(frames, ids), ...namedBy(tokens, ids), ...holdings]);
  const [sent, received] = messages;
  const found = await Promise.all([
    ...[...named].map((evmChainId) => loadRow(context, findChains, { evmChainId })),
    sent && chainOfBothNames.load(context, nameOf(sent, 'source')),
    received && chainOfBothNames.load(context, nameOf(received, 'destination')),
  ]);
  const byId = new Map<string, ChainNode>();
  for (const chain of found)
    if (chain && networks.includes(networkOfChain(chain))) byId.set(chain.chainId, chain);
  return [...byId.values()].slice(0, MOST_PLACES);
}

/** The last internal transaction of a transaction on each chain that has any. */
export async function framesOf(
  txHash: Hex,
  ids: readonly string[],
  search: Search,
): Promise<InternalTxNode[]> {
  const queryOf = (evmChainId: string) => ({ evmChainId, txHash, blockNumber: null, ...allBlocks });
  const rows = await firstRows(chainInternalTxList, ids, queryOf, search);
  return rows.flatMap((row) => row ?? []);
}

/** The newest message that passes a filter; null if there is none. */
export async function messageOf(
  filter: Partial<IcmMessageQuery>,
  { networks, context }: Search,
): Promise<IcmMessageNode | null> {
  const [network = null, another] = networks;
  const query = { ...anyMessage, network: another ? null : network, ...filter };
  const [row] = await icmMessageList.read(context.storage, query, firstRow);
  return row ? icmMessageList.toNode(row) : null;
}

const nameOf = (message: IcmMessageNode, end: 'source' | 'destination') => ({
  blockchainId: message[`${end}BlockchainId`],
  evmChainId: message[`${end}EvmChainId`],
});

/** The first node of a list on each chain, in one statement; null where it is empty. */
async function firstRows<Query, Node>(
  list: List<Query, Node>,
  evmChainIds: readonly string[],
  queryOf: (evmChainId: string) => Query,
  { context }: Search,
): Promise<(Node | null)[]> {
  const pages = evmChainIds.map((evmChainId) => ({ query: queryOf(evmChainId), request: firstRow }));
  const [first, ...others]: ListPage<Query>[] = pages;
  if (!first) return [];
  const rows = await list.readBatch(context.storage, [first, ...others]);
  return rows.map(([row]) => (row ? list.toNode(row) : null));
}

const namedBy = (rows: readonly unknown[], ids: readonly string[]) => ids.filter((_, place) => rows[place]);
