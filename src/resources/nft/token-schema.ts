import type { Builder } from '../../graphql/builder.js';
import { chainLoader } from '../chain/loaders.js';
import { splitTokenKey } from './input.js';
import { nftDocumentLoader, nftMetadataLoader, nftTokenLoader } from './loaders.js';
import { nextReindexAt, reindexIntervalSeconds } from './store.js';

/** Registers the type NftToken and what it consists of. */
export function registerTokenType(builder: Builder): void {
  registerEnums(builder);
  registerMetadata(builder);
  registerToken(builder);
}

function registerEnums(builder: Builder): void {
  builder.enumType('NftMetadataStatus', {
    description: "How far the reading of an NFT's metadata has come.",
    values: {
      NONE: { value: 'none', description: 'It was never asked for.' },
      QUEUED: { value: 'queued', description: 'A job waits to read it, for the first time or once more.' },
      RUNNING: { value: 'running', description: 'It is being read.' },
      DONE: { value: 'done', description: 'It was read.' },
      FAILED: {
        value: 'failed',
        description: 'It could not be read; failureReason says why. Metadata that was read before is kept.',
      },
    },
  });
  builder.enumType('NftStandard', {
    description: "A token standard, as told by the function that gave the metadata's address.",
    values: {
      ERC_721: { value: 'ERC-721', description: 'ERC-721: tokenURI(uint256).' },
      ERC_1155: { value: 'ERC-1155', description: 'ERC-1155: uri(uint256).' },
    },
  });
}

function registerMetadata(builder: Builder): void {
  builder.objectType('NftAttribute', {
    description: 'A trait of an NFT, as its metadata gives it.',
    fields: (t) => ({
      traitType: t.exposeString('traitType', {
        nullable: true,
        description: 'What the trait is; null when the document names none.',
      }),
      value: t.exposeString('value', {
        nullable: true,
        description: 'Its value; numbers and booleans as text. Null when the document gives none.',
      }),
      displayType: t.exposeString('displayType', {
        nullable: true,
        description: 'How the value is meant to be shown, for example date; null when not said.',
      }),
    }),
  });
  builder.objectType('NftMetadata', {
    description:
      'The metadata of an NFT. Its texts are those of strangers: addresses need not be safe to open, and an SVG image may hold scripts.',
    fields: (t) => ({
      standard: t.field({
        type: 'NftStandard',
        description: 'The standard that the contract follows.',
        resolve: (metadata) => metadata.standard,
      }),
      address: t.exposeString('address', {
        description:
          'Where the document was found, as the contract says; of a data: address only the beginning.',
      }),
      name: t.exposeString('name', {
        nullable: true,
        description: 'At most 1,000 characters; null when the document has none.',
      }),
      description: t.exposeString('description', {
        nullable: true,
        description: 'At most 20,000 characters; null when the document has none.',
      }),
      image: t.exposeString('image', {
        nullable: true,
        description:
          'An address, or the image itself as a data: address or SVG, at most 65,536 characters; null when the document has none, or a longer one.',
      }),
      attributes: t.field({
        type: ['NftAttribute'],
        description: 'At most 500 traits.',
        resolve: (metadata) => metadata.attributes,
      }),
      fetchedAt: t.expose('fetchedAt', { type: 'Long', description: 'When it was read, Unix seconds.' }),
      raw: t.string({
        nullable: true,
        description:
          'The document as it was read, at most 1 MB of JSON; null only when the token was removed meanwhile.',
        resolve: ({ rowId }, _args, context) => nftDocumentLoader(context).load(rowId),
      }),
    }),
  });
}

function registerToken(builder: Builder): void {
  builder.node('NftToken', {
    description: 'A token of an NFT collection.',
    id: {
      description: 'Global id, made of the EVM chain id, the contract and the token id.',
      resolve: ({ evmChainId, address, tokenId }) => `${evmChainId}:${address}:${tokenId}`,
    },
    loadOne: (id: string, context) => {
      const key = splitTokenKey(id);
      return key && nftTokenLoader(context).load(key);
    },
    fields: (t) => ({
      chainId: t.exposeString('evmChainId', { description: 'EVM chain id, decimal.' }),
      chain: t.field({
        type: 'Chain',
        nullable: true,
        description: 'Its chain; null when that is not held.',
        resolve: ({ evmChainId }, _args, context) => chainLoader(context).load({ evmChainId }),
      }),
      address: t.exposeString('address', {
        description: "Address of the collection's contract, with the checksum of EIP-55.",
      }),
      tokenId: t.expose('tokenId', { type: 'BigNumber', description: 'Id within the collection.' }),
      owner: t.exposeString('owner', {
        nullable: true,
        description: 'Whom it belongs to, with the checksum of EIP-55; null where unknown.',
      }),
      lastTransferBlock: t.expose('lastTransferBlock', {
        type: 'BigNumber',
        nullable: true,
        description: 'Number of the block of its last transfer; null where unknown.',
      }),
      lastTransferTimestamp: t.expose('lastTransferTimestamp', {
        type: 'Long',
        nullable: true,
        description: 'When it was last transferred, Unix seconds; null where unknown.',
      }),
      lastTransferTxHash: t.exposeString('lastTransferTxHash', {
        nullable: true,
        description: 'Hash of the transaction of its last transfer; null where unknown.',
      }),
      metadata: t.field({
        type: 'NftMetadata',
        nullable: true,
        description: 'What was read last; null when nothing was read yet.',
        resolve: ({ rowId, fetched }, _args, context) =>
          fetched ? nftMetadataLoader(context).load(rowId) : null,
      }),
      metadataStatus: t.field({
        type: 'NftMetadataStatus',
        description: 'How far the reading of its metadata has come.',
        resolve: (token) => token.status,
      }),
      failureReason: t.exposeString('failureReason', {
        nullable: true,
        description:
          'Why the newest attempt to read its metadata failed, for people; null when it did not fail.',
      }),
      lastReindexAt: t.field({
        type: 'Long',
        nullable: true,
        description: 'When reindexing was last accepted, Unix seconds; null for never.',
        resolve: ({ reindexRequestedAt: at }) => (at === undefined ? null : Math.floor(at / 1000)),
      }),
      nextReindexAt: t.field({
        type: 'Long',
        nullable: true,
        description:
          'From when on reindexing is accepted again, Unix seconds: an hour after the last time. Null: now.',
        resolve: ({ reindexRequestedAt: at }, _args, { now }) =>
          at === undefined || at + reindexIntervalSeconds * 1000 <= now() ? null : nextReindexAt(at),
      }),
    }),
  });
}
