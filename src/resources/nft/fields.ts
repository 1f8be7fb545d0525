import { boolean, choice, digits, hex, is, list, plain, text, whole } from '../../fields/field.js';
import type { Details, Fields, Kind, NodeOf } from '../../fields/field.js';

const hexOf = (column: string) => `'0x' || encode(t.${column}, 'hex')`;

/** SQL of a time in milliseconds since 1970. */
export const milliseconds = (column: string) => `(extract(epoch FROM t.${column}) * 1000)::bigint`;

/** The values of a token that come from the chain, over `nft_token t`. */
export const onChainFields = {
  evmChainId: { sql: 't.evm_chain_id', ...is(plain, 'EVM chain id, decimal'), graphql: 'chainId' },
  address: {
    sql: hexOf('address'),
    ...is(hex, "Address of the collection's contract, with the checksum of EIP-55"),
  },
  tokenId: { sql: 't.token_id', ...is(digits, 'Id within the collection') },
  owner: {
    sql: hexOf('owner'),
    ...is(
      hex,
      'Address of the owner, with the checksum of EIP-55',
      'where unknown, for a token that was burned, and for ERC-1155, whose tokens belong to many',
    ),
  },
  lastTransferBlock: {
    sql: 't.last_transfer_block',
    ...is(digits, 'Number of the block of its last transfer', 'where unknown'),
  },
  lastTransferTimestamp: {
    sql: 't.last_transfer_timestamp',
    ...is(whole, 'When it was last transferred, Unix seconds', 'where unknown'),
  },
  lastTransferTxHash: {
    sql: hexOf('last_transfer_tx_hash'),
    ...is(hex, 'Hash of the transaction of its last transfer', 'where unknown'),
  },
} satisfies Fields;

/** What the lists of a collection's tokens have, for descriptions. */
export const KNOWN_TOKENS =
  'The NFTs of a collection of which an owner, a transfer or metadata is known, by ascending token id. Tokens of ERC-1155 have no owner. A token that was burned stays, with a null owner and the transfer that burned it.';

/** `none`: never requested. */
const metadataStatuses = ['none', 'queued', 'running', 'done', 'failed'] as const;
export type MetadataStatus = (typeof metadataStatuses)[number];

/** The fields of a token in the order of its JSON. */
export const nftTokenFields = {
  ...onChainFields,
  status: {
    sql: 't.metadata_status',
    ...is(choice('NftMetadataStatus', metadataStatuses), 'Status of reading its metadata'),
    graphql: 'metadataStatus',
  },
  failureReason: {
    sql: 't.failure_reason',
    ...is(
      text,
      'Why the newest attempt to read its metadata failed, as a text for people',
      'when it did not fail',
    ),
  },
  reindexRequestedAt: {
    sql: milliseconds('reindex_requested_at'),
    ...is(whole as Kind<number>, 'When reindexing was last accepted, milliseconds since 1970', 'for never'),
    // In GraphQL it is seconds.
    graphql: false,
  },
  fetched: { sql: 't.fetched_at IS NOT NULL', ...is(boolean, 'Whether there is a document'), graphql: false },
} satisfies Fields;

/** The members of a trait. */
export const attributeFields = {
  traitType: is(text, 'Name of the trait', 'when the document names none'),
  value: is(text, 'Its value, numbers and booleans as text', 'when the document gives none'),
  displayType: is(text, 'How the value is meant to be shown, for example date', 'when not given'),
} satisfies Details;

export type NftAttributeNode = NodeOf<typeof attributeFields>;

/** The metadata that was read of a token; its document has its own loader. */
export const metadataFields = {
  standard: is(choice('NftStandard', ['ERC-721', 'ERC-1155']), 'The standard that the contract follows'),
  address: is(
    text,
    'Address of the document, as the contract gives it; only its beginning if it contains the document itself',
  ),
  name: is(text, 'At most 1,000 characters', 'when the document has none'),
  description: is(text, 'At most 20,000 characters', 'when the document has none'),
  image: is(
    text,
    'An address, or the image itself as a data: address or SVG, at most 65,536 characters',
    'when the document has none, or a longer one',
  ),
  attributes: is(list<NftAttributeNode>('NftAttribute'), 'At most 500 traits'),
  fetchedAt: is(whole, 'When it was read, Unix seconds'),
} satisfies Details;
