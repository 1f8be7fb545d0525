import type { SearchKind, SearchQuery } from './generated/graphql.js';
import { chainName } from './chains.js';
import { shownName } from './components/text.js';
import * as paths from './paths.js';

type Candidate = NonNullable<SearchQuery['search']>['candidates'][number];

export const words: Readonly<Record<SearchKind, string>> = {
  TRANSACTION: 'transaction',
  BLOCK: 'block',
  VERTEX: 'vertex',
  ADDRESS: 'address',
  UTXO: 'output',
  ASSET: 'asset',
  VALIDATOR: 'validator',
  SUBNET: 'subnet',
  BLOCKCHAIN: 'blockchain',
  L1_VALIDATOR: 'L1 validator',
  EVM_ADDRESS: 'EVM address',
  EVM_TRANSACTION: 'EVM transaction',
  ICM_MESSAGE: 'interchain message',
  NFT_COLLECTION: 'NFT collection',
  NFT_TOKEN: 'NFT',
};

/** Something that a searched text is. */
export interface Hit {
  /** What it is, and where, for people. */
  title: string;
  /** Its page; not given where it has none. */
  href?: string;
}

/** The page that all hits lead to; undefined if they lead to several, or to none. */
export const onlyPage = (hits: readonly Hit[]): string | undefined =>
  hits.every(({ href }) => href === hits[0]?.href) ? hits[0]?.href : undefined;

/** What is indexed of the candidates. */
export const hitsOf = (candidates: readonly Candidate[]): Hit[] =>
  candidates.filter(({ isIndexed }) => isIndexed).map(hitOf);

/** What a text could be and is not indexed, for people. */
export const othersOf = (candidates: readonly Candidate[]): string =>
  candidates
    .filter(({ isIndexed }) => !isIndexed)
    .map(({ kind, network }) => (network ? `${words[kind]} of ${network}` : words[kind]))
    .join(', ');

function hitOf(candidate: Candidate): Hit {
  const { kind, value, match, name, network, blockchainAlias, chainId } = candidate;
  const chain = blockchainAlias ?? (chainId && `EVM chain ${chainId}`);
  const where = [chain && `on the ${chainName(chain)}`, network && `of ${network}`].filter(Boolean);
  // What was found by more than its whole id is one of several.
  const which = match === 'ID' ? [] : [`${name === null ? '' : `“${shownName(name)}”, `}${value}`];
  const title = [[words[kind], ...where].join(' '), ...which].join(': ');
  return { title: title.charAt(0).toUpperCase() + title.slice(1), href: pageOf(candidate) };
}

/** The page of a candidate; undefined if there is none. */
function pageOf({ kind, value, network, blockchainAlias, chainId, node }: Candidate): string | undefined {
  if (!network) return undefined;
  if (node?.__typename === 'Block' && blockchainAlias)
    return paths.blockPath(network, blockchainAlias, node.number);
  // An output is shown with the transaction that created it.
  if (node?.__typename === 'Utxo') return paths.transactionPath(network, node.createdOn, node.txHash);
  switch (kind) {
    case 'TRANSACTION':
      return blockchainAlias ? paths.transactionPath(network, blockchainAlias, value) : undefined;
    case 'ADDRESS':
      return paths.addressPath(network, value);
    case 'ASSET':
      return paths.assetPath(network, value);
    case 'VALIDATOR':
      return paths.validatorPath(network, value);
    case 'SUBNET':
      return paths.subnetPath(network, value);
    case 'L1_VALIDATOR':
      return paths.l1ValidatorPath(network, value);
    case 'ICM_MESSAGE':
      return paths.messagePath(network, value);
    case 'BLOCKCHAIN':
      if (chainId) return paths.evmChainPath(network, chainId);
      return paths.blockchainPath(network, value);
    case 'EVM_ADDRESS':
      return chainId ? paths.evmAddressPath(network, chainId, value) : undefined;
    case 'EVM_TRANSACTION':
      return chainId ? paths.evmTransactionPath(network, chainId, value) : undefined;
    case 'NFT_COLLECTION':
      return chainId ? paths.nftCollectionPath(network, chainId, value) : undefined;
    case 'NFT_TOKEN': {
      const [collection = '', token = ''] = value.split(':');
      return chainId ? paths.nftTokenPath(network, chainId, collection, token) : undefined;
    }
    case 'VERTEX':
      return paths.vertexPath(network, value);
    // Handled above.
    case 'BLOCK':
    case 'UTXO':
      return undefined;
  }
}
