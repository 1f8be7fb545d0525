import { createContextCache } from '@pothos/core';
import type { Hex } from 'viem';
import { EVM_MAX } from '../../avalanche/evm.js';
import { identityOf } from '../../avalanche/identity.js';
import { networkOf, type Network } from '../../avalanche/networks.js';
import type { Context } from '../../graphql/context.js';
import { loadRow } from '../../graphql/row-loader.js';
import type { List, ListPage } from '../../lists/read.js';
import type { ChainNode } from '../chain/fields.js';
import { findChains } from '../chain/list.js';
import type { IcmMessageQuery } from '../icm-message/arguments.js';
import type { IcmMessageNode } from '../icm-message/fields.js';
import { icmMessageList } from '../icm-message/list.js';
import type { InternalTxNode } from '../internal-tx/fields.js';
import { chainInternalTxList, internalTxList } from '../internal-tx/list.js';
import { ownedTokenList } from '../nft/list.js';
import { MOST_PLACES } from './candidate.js';
import type { Search } from './fields.js';
import { chainsOfHoldings, chainsOfMessages, readEvmChains } from './store.js';

/** A list reads one row more than its page has. */
const firstRow = { direction: 'forward', limit: 0, after: null, before: null } as const;
const allBlocks = { startBlock: 0n, endBlock: EVM_MAX };
const anyMessage = {
  sourceBlockchainId: null,
  destinationBlockchainId: null,
  blockchainId: null,
  from: null,
  to: null,
  since: null,
  until: null,
  txHash: null,
  status: null,
  address: null,
};

/** Read once for each request. */
const storedChains = createContextCache(({ storage }: Context) => readEvmChains(storage));

/** The EVM chains that are searched, with their networks: the first stored ones, and the C-chains. */
export async function evmChainsOf(search: Search): Promise<ReadonlyMap<string, Network>> {
  const { networks, mostChains, context } = search;
  const stored = (await storedChains(context)).slice(0, mostChains);
  const all = stored.map(({ evmChainId, network }) => [evmChainId, network] as const);
  const own = networks.map((network) => [String(identityOf(network).evmChainId), network] as const);
  return new Map([...all.filter(([, network]) => networks.includes(network)), ...own]);
}

/** The stored chains on which something names an address, the first by EVM chain id. */
export async function chainsOfAddress(
  address: Hex,
  chains: ReadonlyMap<string, Network>,
  search: Search,
  most = MOST_PLACES,
): Promise<ChainNode[]> {
  const { context, networks } = search;
  const ids = [...chains.keys()];
  const [frames, tokens, messages, holdings] = await Promise.all([
    firstRows(internalTxList, ids, (evmChainId) => ({ evmChainId, address, ...allBlocks }), search),
    firstRows(
      ownedTokenList,
      ids,
      (evmChainId) => ({ evmChainId, owner: address, collection: null }),
      search,
    ),
    chainsOfMessages(context.storage, ids, address),
    chainsOfHoldings(context.storage, ids, address),
  ]);
  const others = new Set([...messages, ...holdings]);
  const named = ids.filter((evmChainId, index) => frames[index] || tokens[index] || others.has(evmChainId));
  const found = await Promise.all(named.map((evmChainId) => loadRow(context, findChains, { evmChainId })));
  return found
    .filter((chain) => chain !== null)
    .filter((chain) => networks.includes(networkOf(chain.isTestnet)))
    .slice(0, most);
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
