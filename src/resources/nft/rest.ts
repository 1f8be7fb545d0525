import { graphql } from '../../generated/graphql/gql.js';
import { ref, type JsonSchemas } from '../../fields/json-schema.js';
import { objectSchemas } from '../../fields/object-schema.js';
import { pageArguments } from '../../rest/parameter.js';
import { listReply, page } from '../../rest/reply.js';
import { defineRoute } from '../../rest/route.js';
import {
  balanceChainId,
  balanceSchemas,
  nativeExample,
  nativeText,
  nativeTokenBalance,
} from '../evm-holding/rest.js';
import { chainNotIndexed, evmAddressArguments } from '../internal-tx/arguments.js';
import { collectionArguments, nftTokenArguments, ownedTokenArguments } from './arguments.js';
import { publishedMetadata, publishedToken, publishedTokenOf } from './details.js';

const reindexNft = graphql(`
  mutation ReindexNft($chainId: String!, $address: String!, $tokenId: BigNumber!) {
    reindexNft(chainId: $chainId, address: $address, tokenId: $tokenId) {
      nextReindexAt
    }
  }
`);

graphql(`
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

const listNftTokens = graphql(`
  query ListNftTokens($chainId: String!, $address: String!, $pageSize: Int, $pageToken: String) {
    chain(chainId: $chainId) {
      chainId
    }
    nftTokens(chainId: $chainId, address: $address, first: $pageSize, after: $pageToken) {
      nodes {
        ...NftParts
      }
      pageInfo {
        hasNextPage
        endCursor
      }
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

const tokenSchemas: JsonSchemas = objectSchemas({
  NftTokenMetadata: { description: 'The metadata of an NFT.', fields: publishedMetadata },
  NftToken: { description: 'An NFT.', fields: publishedToken },
  Erc721TokenBalance: {
    description: 'An NFT of an address.',
    fields: { ...publishedToken, chainId: balanceChainId },
  },
});

const listErc721Balances = graphql(`
  query ListErc721Balances(
    $chainId: String!
    $address: String!
    $contractAddress: String
    $pageSize: Int
    $pageToken: String
  ) {
    evmAddress(chainId: $chainId, address: $address) {
      ...CoinParts
      nfts(collection: $contractAddress, first: $pageSize, after: $pageToken) {
        nodes {
          ...NftParts
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

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
  defineRoute({
    method: 'GET',
    path: COLLECTION,
    summary: 'List NFTs',
    description: 'The known NFTs of a collection, by ascending token id.',
    parameters: { ...collectionArguments, ...pageArguments },
    document: listNftTokens,
    reply: ({ chain, nftTokens: { nodes, pageInfo } }) =>
      chain || nodes.length > 0
        ? listReply('tokens', { json: JSON.stringify(nodes.map(publishedTokenOf)), pageInfo })
        : null,
    missing: chainNotIndexed,
    response: {
      description: 'A page of NFTs.',
      schema: ref('NftTokenPage'),
      components: { ...tokenSchemas, NftTokenPage: page('tokens', ref('NftToken')) },
      example: { tokens: [example] },
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${COLLECTION}/{tokenId}`,
    summary: 'Get an NFT',
    description: 'One NFT with its metadata.',
    parameters: nftTokenArguments,
    document: getNftToken,
    reply: ({ nftToken }) => nftToken && JSON.stringify(publishedTokenOf(nftToken)),
    missing: (_values, { tokenId, address, chainId }) =>
      `token ${tokenId} of ${address} is not indexed for chain ${chainId}`,
    response: { description: 'The NFT.', schema: ref('NftToken'), components: tokenSchemas, example },
  }),
  defineRoute({
    method: 'GET',
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
    document: listErc721Balances,
    values: (given) => ({ ...given, collection: given.contractAddress }),
    reply: ({ evmAddress }) => {
      if (!evmAddress) return null;
      const { nodes, pageInfo } = evmAddress.nfts;
      const { chainId } = evmAddress.chain;
      const tokens = nodes.map(publishedTokenOf).filter(({ ercType }) => ercType === 'ERC-721');
      const rows = tokens.map((token) => ({ ...token, chainId }));
      const more = `,"nativeTokenBalance":${nativeText(evmAddress)}`;
      return listReply('erc721TokenBalances', { json: JSON.stringify(rows), pageInfo }, more);
    },
    missing: chainNotIndexed,
    response: {
      description: 'A page of NFTs.',
      schema: ref('Erc721BalancePage'),
      components: {
        ...balanceSchemas,
        ...tokenSchemas,
        Erc721BalancePage: page('erc721TokenBalances', ref('Erc721TokenBalance'), { nativeTokenBalance }),
      },
      example: { erc721TokenBalances: [{ ...example, chainId: '43113' }], nativeTokenBalance: nativeExample },
    },
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
