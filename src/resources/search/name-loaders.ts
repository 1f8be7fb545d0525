import { loadRow } from '../../graphql/row-loader.js';
import { findAssets } from '../asset/list.js';
import { findChains } from '../chain/list.js';
import { splitTokenKey } from '../nft/key.js';
import { findNftTokens } from '../nft/list.js';
import { findTransactions } from '../transaction/list.js';
import { indexed } from './candidate.js';
import { evmChainsOf } from './evm-signs-loaders.js';
import type { Search, SearchCandidate } from './fields.js';
import { readNamesFrom, type FoundName } from './name-list.js';

/** Most things of one sort that are found by their names: strangers choose most of these. */
export const MOST_NAMES = 5;

/** What is called so, or has a name that begins so. */
export async function ofName(text: string, search: Search): Promise<SearchCandidate[]> {
  const names = await namesOf(text, search);
  const found = await Promise.all(names.map((each) => candidatesOf(each, search)));
  const all = names.flatMap(({ name, isExact }, index) =>
    (found[index] ?? []).map((each): SearchCandidate => ({
      ...each,
      name,
      match: isExact ? 'NAME' : 'NAME_BEGINNING',
    })),
  );
  // A blockchain has the name with which it was created, and that of the list of chains; a collection those
  // of its NFTs.
  return [...new Map(all.toReversed().map((each) => [keyOf(each), each])).values()].toReversed();
}

const keyOf = ({ kind, value, network, evmChainId }: SearchCandidate) =>
  [kind, value, network, evmChainId].join(' ');

/** The first names of each sort. */
export async function namesOf(
  text: string,
  { networks, context }: Pick<Search, 'networks' | 'context'>,
): Promise<FoundName[]> {
  const things = new Map<string, FoundName>();
  const counts = new Map<string, number>();
  for (const each of await readNamesFrom(context.storage, text, networks, MOST_NAMES)) {
    const key = [each.of, each.network, each.key].join(' ');
    const count = counts.get(each.of) ?? 0;
    // By its name and its symbol, or by several words, a thing is found more than once: the first counts.
    if (things.has(key) || count === MOST_NAMES) continue;
    things.set(key, each);
    counts.set(each.of, count + 1);
  }
  return [...things.values()];
}

async function candidatesOf(
  { of, network, key }: FoundName,
  search: Search,
): Promise<readonly SearchCandidate[]> {
  const { context } = search;
  const at = { network };
  switch (of) {
    case 'chain': {
      const row = await loadRow(context, findChains, { evmChainId: key });
      return row ? [indexed('BLOCKCHAIN', key, { ...at, evmChainId: key }, { type: 'Chain', row })] : [];
    }
    case 'created': {
      // The one of the list of chains is found by its own name.
      if (await loadRow(context, findChains, { blockchainId: key })) return [];
      const row = network && (await loadRow(context, findTransactions, { network, chain: 'p', txHash: key }));
      return row ? [indexed('BLOCKCHAIN', key, at, { type: 'Transaction', row })] : [];
    }
    case 'asset': {
      const row = network && (await loadRow(context, findAssets, { network, assetId: key }));
      return row ? [indexed('ASSET', key, at, { type: 'Asset', row })] : [];
    }
    case 'token':
      return ofToken(key, search);
  }
}

/** An NFT and its collection. */
async function ofToken(key: string, search: Search): Promise<readonly SearchCandidate[]> {
  const tokenKey = splitTokenKey(key);
  const row = tokenKey && (await loadRow(search.context, findNftTokens, tokenKey));
  if (!row) return [];
  const { evmChainId, address, tokenId } = row;
  const network = (await evmChainsOf(search)).get(evmChainId) ?? null;
  if (network === null && search.networks.length === 1) return [];
  const collection = { evmChainId: BigInt(evmChainId), address };
  return [
    indexed('NFT_COLLECTION', address, { network, evmChainId }, { type: 'NftCollection', row: collection }),
    indexed('NFT_TOKEN', `${address}:${tokenId}`, { network, evmChainId }, { type: 'NftToken', row }),
  ];
}
