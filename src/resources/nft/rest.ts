import { graphql } from '../../generated/graphql/gql.js';
import { ref, type JsonSchemas } from '../../fields/json-schema.js';
import { objectSchema } from '../../fields/object-schema.js';
import { defineListRoute } from '../../rest/list-route.js';
import { pageArguments } from '../../rest/parameter.js';
import { defineRoute } from '../../rest/route.js';
import { shapesText, shapeText } from '../../rest/shape.js';
import { balanceChainId, balanceSchemas, heldRows, nativeExample } from '../evm-holding/rest.js';
import { chainNotIndexed, evmAddressArguments } from '../internal-tx/arguments.js';
import { collectionArguments, nftTokenArguments, ownedTokenArguments } from './arguments.js';
import { ercTypeOf, metadataShape, tokenShape } from './rest-shapes.js';

const reindexNft = graphql(`
  mutation ReindexNft($chainId: String!, $address: String!, $tokenId: BigNumber!) {
    reindexNft(chainId: $chainId, address: $address, tokenId: $tokenId) {
      nextReindexAt
    }
  }
`);

const nftFields = graphql(`
  fragment NftParts on NftToken {
    address
    tokenId
    owner
    metadata {
      standard
      address
      name
      description
      image
      attributes {
        traitType
        value
        displayType
      }
      fetchedAt
    }
    metadataStatus
  }
`);

const chainFields = graphql(`
  fragment ChainOfTokens on Query {
    chain(chainId: $chainId) {
      chainId
    }
  }
`);

const getNftToken = graphql(`
  query GetNftToken($chainId: String!, $address: String!, $tokenId: BigNumber!) {
    nftToken(chainId: $chainId, address: $address, tokenId: $tokenId) {
      ...NftParts
    }
  }
`);

const tokenSchemas: JsonSchemas = {
  NftTokenMetadata: objectSchema('The metadata of an NFT.', metadataShape),
  NftToken: objectSchema('An NFT.', tokenShape),
  Erc721TokenBalance: objectSchema('An NFT of an address.', { ...tokenShape, chainId: balanceChainId }),
};

/** As in the sample. */
const example = {
  address: '0x1C17F1568D8d5159e8A8662284203FCf2f19F8c6',
  name: '',
  symbol: '',
  ercType: 'ERC-721',
  tokenId: '1',
  tokenUri: '',
  metadata: { indexStatus: 'UNINDEXED' },
  ownerAddress: '0xb5525fb6c95d4EA5bd94cDc3915F3EE732Def823',
};

const COLLECTION = '/v1/chains/{chainId}/nfts/collections/{address}/tokens';

export const nftRoutes = [
  defineListRoute({
    operation: 'ListNftTokens',
    path: COLLECTION,
    summary: 'List NFTs',
    description: 'The known NFTs of a collection, by ascending token id.',
    parameters: { ...collectionArguments, ...pageArguments },
    field: 'nftTokens',
    also: {
      fragment: chainFields,
      absence: ({ chain }, _values, length) => (chain === null && length === 0 ? 'missing' : null),
    },
    nodes: { fragment: nftFields, textOf: (nodes) => shapesText(tokenShape, nodes) },
    rows: { name: 'tokens', words: 'NFTs', schema: 'NftToken', page: 'NftTokenPage' },
    schemas: tokenSchemas,
    missing: chainNotIndexed,
    example: { tokens: [example] },
  }),
  defineRoute({
    method: 'GET',
    path: `${COLLECTION}/{tokenId}`,
    summary: 'Get an NFT',
    description: 'One NFT with its metadata.',
    parameters: nftTokenArguments,
    document: getNftToken,
    reply: ({ nftToken }) => nftToken && shapeText(tokenShape, nftToken),
    missing: (_values, { tokenId, address, chainId }) =>
      `token ${tokenId} of ${address} is not indexed for chain ${chainId}`,
    response: { description: 'The NFT.', schema: ref('NftToken'), components: tokenSchemas, example },
  }),
  defineListRoute({
    operation: 'ListErc721Balances',
    path: '/v1/chains/{chainId}/addresses/{address}/balances:listErc721',
    summary: 'List ERC-721 balances',
    description:
      'The NFTs that an address owns, by contract and token id, and what it has of the coin of the chain.',
    parameters: {
      ...evmAddressArguments,
      address: { ...evmAddressArguments.address, example: example.ownerAddress },
      contractAddress: ownedTokenArguments.collection,
      ...pageArguments,
    },
    given: {
      passed: ['chainId', 'address'],
      values: (given) => ({ ...given, collection: given.contractAddress }),
    },
    field: 'nfts',
    ...heldRows,
    nodes: {
      fragment: nftFields,
      textOf: (nodes, _values, { chain }) =>
        shapesText(
          { ...tokenShape, chainId: { ...balanceChainId, of: () => chain.chainId } },
          nodes.filter((token) => ercTypeOf(token) === 'ERC-721'),
        ),
    },
    rows: {
      name: 'erc721TokenBalances',
      words: 'NFTs',
      schema: 'Erc721TokenBalance',
      page: 'Erc721BalancePage',
    },
    schemas: { ...balanceSchemas, ...tokenSchemas },
    example: { erc721TokenBalances: [{ ...example, chainId: '43113' }], nativeTokenBalance: nativeExample },
  }),
  defineRoute({
    method: 'POST',
    path: `${COLLECTION}/{tokenId}:reindex`,
    summary: 'Reindex NFT metadata',
    description:
      'Reads the metadata of an NFT from its chain again, at most once an hour for a token. The result is shown by nftToken in GraphQL.',
    parameters: nftTokenArguments,
    document: reindexNft,
    reply: () => '',
    response: { description: 'Accepted. No body.', status: 201 },
    refusals: ['FORBIDDEN', 'NOT_FOUND', 'BAD_GATEWAY'],
  }),
];
