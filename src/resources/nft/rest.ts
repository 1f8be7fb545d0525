import { readEvmAddress } from '../../avalanche/evm.js';
import { graphql } from '../../generated/graphql/gql.js';
import { pathParameter } from '../../rest/parameter.js';
import { defineRoute } from '../../rest/route.js';
import { chainIdParameter } from '../chain/rest.js';
import { readTokenId } from './input.js';

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
      'Has the metadata of an NFT read from its chain again, at most once an hour for a token. What came of it shows in GraphQL: nftToken.',
    parameters: {
      chainId: chainIdParameter,
      address: pathParameter<string>({
        description: 'Address of the contract, 0x and 40 hexadecimal digits.',
        schema: { type: 'string' },
        example: '0x1C17F1568D8d5159e8A8662284203FCf2f19F8c6',
        read: readEvmAddress,
      }),
      tokenId: pathParameter<string>({
        description: 'Token id, decimal, 0 to 2^256-1.',
        schema: { type: 'string' },
        example: '1',
        read: readTokenId,
      }),
    },
    document: reindexNft,
    variables: (parameters) => parameters,
    reply: () => '',
    response: { description: 'Accepted. No body.', status: 201 },
  }),
];
