import { networks, primaryChains, type Network } from '../../avalanche/networks.js';
import { searchKinds, searchMatches } from './fields.js';
import type { FoundNode, SearchCandidate, SearchKind, SearchScope } from './fields.js';

/**
 * Most candidates of one text. An id has 22 if it is of everything on both networks, an EVM address as many
 * as below.
 */
export const MOST_CANDIDATES = 24;
/** Most EVM chains on which an EVM address, its collection of NFTs, or one of its tokens is a candidate. */
export const MOST_PLACES = MOST_CANDIDATES / 2;

const nowhere: SearchScope = { network: null, chain: null, evmChainId: null };

/** Something that is stored. */
export function indexed(
  kind: SearchKind,
  value: string,
  at: Partial<SearchScope>,
  node: FoundNode | null,
): SearchCandidate {
  return { kind, value, isIndexed: true, node, ...nowhere, ...at, name: null, match: 'ID' };
}

/**
 * What was found of a kind; if nothing was, what the text could be and is not indexed.
 *
 * @param networks that were searched
 * @param at the network and chain that the text names
 */
export function orUnknown(
  kind: SearchKind,
  value: string,
  networks: readonly Network[],
  found: readonly SearchCandidate[],
  at: Partial<SearchScope> = {},
): readonly SearchCandidate[] {
  if (found.length > 0) return found;
  const [network = null, another] = networks;
  const scope = another ? nowhere : { ...nowhere, network };
  return [{ kind, value, isIndexed: false, node: null, ...scope, ...at, name: null, match: 'ID' }];
}

const kinds = Object.keys(searchKinds);
const matches = Object.keys(searchMatches);

/**
 * What is indexed first, then by match, kind, network and chain; see the descriptions in schema.ts. Those
 * that are equal in all of it stay in the order in which they were found, which is that of names and ids.
 */
export function inOrder(candidates: readonly SearchCandidate[]): SearchCandidate[] {
  return candidates
    .toSorted(
      (one, other) =>
        Number(other.isIndexed) - Number(one.isIndexed) ||
        matches.indexOf(one.match) - matches.indexOf(other.match) ||
        kinds.indexOf(one.kind) - kinds.indexOf(other.kind) ||
        rankIn(networks, one.network) - rankIn(networks, other.network) ||
        rankIn(primaryChains, one.chain) - rankIn(primaryChains, other.chain) ||
        Number(BigInt(one.evmChainId ?? 0) - BigInt(other.evmChainId ?? 0)),
    )
    .slice(0, MOST_CANDIDATES);
}

/** What is not known comes last. */
const rankIn = <Item>(all: readonly Item[], item: Item | null) =>
  item === null ? all.length : all.indexOf(item);
