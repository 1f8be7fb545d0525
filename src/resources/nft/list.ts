import { storedEvmAddress, toBytea } from '../../avalanche/evm.js';
import { inOrder, type Find } from '../../lists/find.js';
import { sortedBy } from '../../lists/order.js';
import { defineList } from '../../lists/read.js';
import { bind, statement } from '../../storage/statement.js';
import type { OwnedTokenNarrowing, OwnedTokenQuery } from './arguments.js';
import type { CollectionKey, NftTokenKey } from './key.js';
import { nftTokenRows, toBytes, toStoredMetadataNode, toStoredTokenNode } from './row.js';
import type { NftMetadataNode, NftTokenNode } from './row.js';

/** A collection, by its contract. */
export interface Collection {
  /** Null for a chain that is not known: it has no token. */
  evmChainId: bigint | null;
  /** 0x and 40 hex digits. */
  address: string;
}

/**
 * Whether anything is known of a token `t`: an owner, a transfer or metadata. A token may be there only
 * because a client requested it, and clients may request any number. The index nft_token_listed has only
 * these.
 */
const isKnown = `(t.owner IS NOT NULL OR t.fetched_at IS NOT NULL OR t.last_transfer_block IS NOT NULL
      OR t.last_transfer_timestamp IS NOT NULL OR t.last_transfer_tx_hash IS NOT NULL)`;

/** The tokens of a collection about which something is known, by rising token id. Cursors are row ids. */
export const nftTokenList = defineList<Collection, NftTokenNode, never>({
  name: 'nft_tokens',
  values: { evmChainId: 'bigint', address: 'bytea' },
  parent: ['evmChainId', 'address'],
  bind: ({ evmChainId, address }) => ({ evmChainId, address: toBytea(address) }),
  ...nftTokenRows,
  where: (value) => `t.evm_chain_id = ${value('evmChainId')} AND t.address = ${value('address')}
    AND ${isKnown}`,
  order: sortedBy('t', 'asc', ['token_id']),
  cursor: { table: 'nft_token' },
  exists: (storage, id) =>
    storage.holds(({ nftToken }) => nftToken.findUnique({ where: { id: BigInt(id) }, select: { id: true } })),
});

/** The tokens of addresses by contract and token id. Cursors are row ids. */
export const ownedTokenList = defineList<OwnedTokenQuery, NftTokenNode, OwnedTokenNarrowing>({
  name: 'nft_tokens_of_owner',
  values: { evmChainId: 'bigint', owner: 'bytea', collection: 'bytea' },
  parent: ['evmChainId', 'owner'],
  bind: ({ evmChainId, owner, collection }) => ({
    evmChainId,
    owner: toBytea(owner),
    collection: collection && toBytea(collection),
  }),
  ofParent: { evmChainId: storedEvmAddress.evmChainId, owner: storedEvmAddress.address },
  ...nftTokenRows,
  where: (value) => `t.evm_chain_id = ${value('evmChainId')} AND t.owner = ${value('owner')}`,
  filters: { collection: { sql: (value) => `t.address = ${value('collection')}` } },
  // Within a collection by the token alone: together with an equal address, the cursor's address would not
  // bound the index scan.
  order: ({ collection }) =>
    collection === null
      ? sortedBy('t', 'asc', ['address', 'token_id'])
      : sortedBy('t', 'asc', ['token_id'], { name: 'token' }),
  cursor: { table: 'nft_token' },
});

/** A token without its metadata, which may be long. */
const tokenFields = {
  id: true,
  evmChainId: true,
  address: true,
  tokenId: true,
  owner: true,
  lastTransferBlock: true,
  lastTransferTimestamp: true,
  lastTransferTxHash: true,
  metadataStatus: true,
  failureReason: true,
  reindexRequestedAt: true,
  fetchedAt: true,
} as const;

export const findNftTokens: Find<NftTokenKey, NftTokenNode> = async ({ prisma }, keys) => {
  const stored = await prisma.nftToken.findMany({
    where: {
      OR: keys.map(({ evmChainId, address, tokenId }) => ({
        evmChainId,
        address: toBytes(address),
        tokenId: tokenId.toString(),
      })),
    },
    select: tokenFields,
  });
  return inOrder(keys, nameOfToken, stored.map(toStoredTokenNode), nameOfToken);
};

const nameOfToken = ({ evmChainId, address, tokenId }: NftTokenKey | NftTokenNode) =>
  `${evmChainId} ${address.toLowerCase()} ${tokenId}`;

/** A token by its row id, a decimal text. */
interface TokenRowKey {
  rowId: string;
}

/** What was read of tokens; null for one without metadata. */
export const findMetadata: Find<TokenRowKey, NftMetadataNode> = async ({ prisma }, keys) => {
  const read = await prisma.nftToken.findMany({
    where: { id: { in: keys.map(({ rowId }) => BigInt(rowId)) }, fetchedAt: { not: null } },
    select: {
      id: true,
      standard: true,
      metadataAddress: true,
      name: true,
      description: true,
      image: true,
      attributes: true,
      fetchedAt: true,
    },
  });
  return inOrder(keys, nameOfRow, read.map(toStoredMetadataNode), nameOfRow);
};

/** The documents of tokens as they were read; up to 1 MB each. */
export const findDocuments: Find<TokenRowKey, string> = async ({ prisma }, keys) => {
  const read = await prisma.nftToken.findMany({
    where: { id: { in: keys.map(({ rowId }) => BigInt(rowId)) } },
    select: { id: true, rawMetadata: true },
  });
  const found = inOrder(keys, nameOfRow, read, ({ id }) => id.toString());
  return found.map((row) => row && row.rawMetadata);
};

const nameOfRow = ({ rowId }: TokenRowKey) => rowId;

const wanted =
  'unnest(:chains::bigint[], :contracts::bytea[]) WITH ORDINALITY AS each(chain, contract, ordinal)';

/**
 * The conditions under which a collection is known, each its own statement, because the tables may be on two
 * servers of Citus.
 */
const signsOfCollections = [
  statement(
    'nft_tokens_collections',
    `SELECT each.ordinal::int AS ordinal FROM ${wanted}
     WHERE EXISTS (SELECT 1 FROM nft_token t WHERE t.evm_chain_id = each.chain AND t.address = each.contract
       AND ${isKnown})`,
  ),
  statement(
    'nft_owned_collections',
    `SELECT each.ordinal::int AS ordinal FROM ${wanted}
     JOIN evm_holding h ON h.evm_chain_id = each.chain AND h.kind = 'nft' AND h.contract = each.contract`,
  ),
];

/** Collections by their key; null for one without stored owners and without tokens that lists show. */
export const findCollections: Find<CollectionKey, CollectionKey> = async (storage, keys) => {
  const found = new Set<CollectionKey>();
  for (const sign of signsOfCollections) {
    const unknown = keys.filter((key) => !found.has(key));
    if (unknown.length === 0) break;
    const values = {
      chains: unknown.map(({ evmChainId }) => evmChainId.toString()),
      contracts: unknown.map(({ address }) => toBytea(address)),
    };
    const stored = await storage.read<{ ordinal: number }>(sign, bind(sign, values));
    for (const { ordinal } of stored) found.add(unknown[ordinal - 1] as CollectionKey);
  }
  return keys.map((key) => (found.has(key) ? key : null));
};
