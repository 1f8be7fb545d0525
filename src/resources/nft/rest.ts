import { graphql } from '../../generated/graphql/gql.js';
import { defineRoute } from '../../rest/route.js';
import { nftTokenArguments } from './arguments.js';

const reindexNft = graphql(`
  mutation ReindexNft($chainId: String!, $address: String!, $tokenId: BigNumber!) {
    reindexNft(chainId: $chainId, address: $address, tokenId: $tokenId) {
      nextReindexAt
    }
  }
`);

export const nftRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}:reindex',
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
