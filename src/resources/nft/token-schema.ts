import type { Builder } from '../../graphql/builder.js';
import { exposeFields } from '../../graphql/fields.js';
import { rowField } from '../../graphql/row-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { findChains } from '../chain/list.js';
import { evmAddressOf } from '../internal-tx/evm-address-schema.js';
import { attributeFields, metadataFields, nftTokenFields } from './fields.js';
import { splitTokenKey } from './key.js';
import { findDocuments, findMetadata, findNftTokens } from './list.js';
import { nextReindexAt, reindexIntervalSeconds } from './store.js';

export function registerTokenType(builder: Builder): void {
  builder.enumType('NftMetadataStatus', {
    description: "Status of reading an NFT's metadata.",
    values: {
      NONE: { value: 'none', description: 'It was never requested.' },
      QUEUED: { value: 'queued', description: 'A job to read it is waiting, for the first time or again.' },
      RUNNING: { value: 'running', description: 'It is being read.' },
      DONE: { value: 'done', description: 'It was read.' },
      FAILED: {
        value: 'failed',
        description: 'It could not be read; failureReason says why. Metadata that was read before is kept.',
      },
    },
  });
  builder.enumType('NftStandard', {
    description: 'A token standard, by the function of the contract that gives the address of the metadata.',
    values: {
      ERC_721: { value: 'ERC-721', description: 'ERC-721: tokenURI(uint256).' },
      ERC_1155: {
        value: 'ERC-1155',
        description: 'ERC-1155: uri(uint256), or a contract that says so itself (ERC-165).',
      },
    },
  });
  builder.objectType('NftAttribute', {
    description: 'A trait of an NFT, as its metadata gives it.',
    fields: (t) => exposeFields(t, attributeFields),
  });
  builder.objectType('NftMetadata', {
    description:
      'The metadata of an NFT. It comes from third parties: its addresses may be unsafe to open, and an SVG image may contain scripts.',
    fields: (t) => ({
      ...exposeFields(t, metadataFields),
      raw: t.string({
        nullable: true,
        description:
          'The document as it was read, at most 1 MB of JSON; null when it is an image, or when the token was removed meanwhile.',
        resolve: ({ rowId }, _args, context) => loadRow(context, findDocuments, { rowId }),
      }),
    }),
  });
  registerToken(builder);
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
      return key && loadRow(context, findNftTokens, key);
    },
    fields: (t) => ({
      ...exposeFields(t, nftTokenFields),
      chain: rowField(t, {
        type: 'Chain',
        description: 'Its chain; null when that is not indexed.',
        find: findChains,
        of: ({ evmChainId }) => ({ evmChainId }),
      }),
      ownerEvmAddress: rowField(t, {
        type: 'EvmAddress',
        description: 'The owner as a node; null where owner is null, or when the chain is not indexed.',
        find: evmAddressOf,
        of: ({ evmChainId, owner }) => ({ evmChainId, address: owner }),
      }),
      metadata: rowField(t, {
        type: 'NftMetadata',
        description: 'The metadata that was read last; null when none was read yet.',
        find: findMetadata,
        of: ({ rowId }) => ({ rowId }),
        needs: 'fetched',
      }),
      lastReindexAt: t.field({
        type: 'Long',
        nullable: true,
        description: 'When reindexing was last accepted, Unix seconds; null for never.',
        resolve: ({ reindexRequestedAt: at }) => (at ? Math.floor(at / 1000) : null),
      }),
      nextReindexAt: t.field({
        type: 'Long',
        nullable: true,
        description:
          'When reindexing is accepted again, Unix seconds: an hour after the last time. Null: it is accepted now.',
        resolve: ({ reindexRequestedAt: at }, _args, { now }) =>
          at && at + reindexIntervalSeconds * 1000 > now() ? nextReindexAt(at) : null,
      }),
    }),
  });
}
