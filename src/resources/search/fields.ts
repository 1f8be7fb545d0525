import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import type { Context } from '../../graphql/context.js';

/** Most coins and tokens of an EVM chain in which a balance of an address is looked for. */
export const MOST_HOLDINGS = 50;

/** Most characters of a name that are shown. */
export const LONGEST_SHOWN_NAME = 200;

/** What a text can be, in the order of candidates. */
export const searchKinds = {
  TRANSACTION: 'A transaction of the P-chain, X-chain or C-chain, by its hash. Its node is a Transaction.',
  BLOCK: 'A block of the P-chain, X-chain or C-chain, by its number or its hash. Its node is a Block.',
  VERTEX: 'A vertex of the X-chain, by its hash. Its node is a Vertex.',
  ADDRESS:
    'An address of the primary network, with or without the prefix of a chain. Indexed if an output or a transaction names it. Its node is an Address.',
  UTXO: 'A transaction output, by its id, or by transaction:index. Its node is a Utxo.',
  ASSET: 'An asset, by its id, its name or its symbol. Its node is an Asset.',
  VALIDATOR: 'A node, by its id with or without NodeID-. Its node is a Validator.',
  SUBNET: 'A subnet or the L1 that it became, by its id. Its node is a Subnet.',
  BLOCKCHAIN:
    'A blockchain, by its id, by its EVM chain id, by its alias (p-chain, x-chain, c-chain), or by the name that it is stored or was created with. Its node is the Chain of an EVM chain, otherwise the Transaction that created it; null for the P-chain and the X-chain, which no transaction created, and for a C-chain that is not among the stored EVM chains.',
  L1_VALIDATOR: 'A validation period of an L1 validator, by its validation id. Its node is an L1Validator.',
  EVM_ADDRESS: `An address on an EVM chain. Indexed on a chain where it is a side of internal transactions, an owner of NFTs, the sender or the recipient of interchain messages, the contract of a token with balances, or has balances by day (which are looked for in the coin and the first tokens by contract, ${MOST_HOLDINGS} in all). Its node is an EvmAddress.`,
  EVM_TRANSACTION:
    'A transaction of an EVM chain, by its hash. Indexed if it has internal transactions, or sent or delivered interchain messages. Its node is the last of its internal transactions (InternalTransaction), otherwise one of these messages (IcmMessage).',
  ICM_MESSAGE: 'An interchain message, by its id with or without 0x. Its node is an IcmMessage.',
  NFT_COLLECTION:
    'A collection of NFTs, by the address of its contract, or by the names of its NFTs. Its node is an NftCollection.',
  NFT_TOKEN:
    'A token of an NFT collection, as contract:tokenId, with the token id in decimal digits, or by the name in its metadata. Its node is an NftToken.',
} as const;
export type SearchKind = keyof typeof searchKinds;

/** How a text fits what it is, in the order of candidates. */
export const searchMatches = {
  ID: 'It is the whole id, hash, address, number or alias.',
  NAME: 'It is the whole name or symbol, but for capitals.',
  ID_BEGINNING:
    'The id, hash or address begins with it, and ends with what it has after an ellipsis (… or two or three full stops).',
  NAME_BEGINNING: 'The name or symbol begins with it, or the name from its second or third word on does.',
} as const;
export type SearchMatch = keyof typeof searchMatches;

/** Network and chain of a result: all null if unknown. */
export interface SearchScope {
  network: Network | null;
  /** The chain of the primary network. */
  chain: PrimaryChain | null;
  /** Of an EVM chain, decimal. */
  evmChainId: string | null;
}

/** The type and the row of a node as resolvers see it. */
export interface FoundNode {
  type: string;
  row: object;
}

/** Something that a text is, or could be. */
export interface SearchCandidate extends SearchScope {
  kind: SearchKind;
  /** The text as replies write it for this kind. */
  value: string;
  isIndexed: boolean;
  node: FoundNode | null;
  /** By which it was found; null if by an id. */
  name: string | null;
  match: SearchMatch;
}

/** What a text that is being typed may become. */
export interface SearchSuggestion {
  kind: SearchKind;
  /** What to search for. */
  value: string;
  network: Network | null;
  name: string | null;
}

/** What was found of a text. */
export interface SearchResult {
  text: string;
  problem: string | null;
  candidates: readonly SearchCandidate[];
}

/** A search that runs. */
export interface Search {
  /** Those that are searched, at least one. */
  networks: readonly Network[];
  /** Most EVM chains of the list of chains that are searched. */
  mostChains: number;
  context: Context;
}

/** What a search finds of some kinds, in any order. */
export type Candidates = Promise<readonly SearchCandidate[]>;
