import { graphql } from '../../generated/graphql/gql.js';
import { blockchainParameter, networkParameter, pageParameters } from '../../rest/parameter.js';
import { listReply } from '../../rest/reply.js';
import { defineRoute } from '../../rest/route.js';
import { chainInfo } from '../utxo/rest.js';

const listVertices = graphql(`
  query ListVertices($network: Network!, $blockchainId: String, $pageSize: Int, $pageToken: String) {
    vertices(network: $network, blockchainId: $blockchainId, first: $pageSize, after: $pageToken) {
      json
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const vertexRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/vertices',
    summary: 'List vertices',
    description: 'Vertices of the X-chain from before its linearisation, newest first.',
    parameters: {
      network: networkParameter,
      blockchainId: blockchainParameter(['x'], 'x-chain'),
      ...pageParameters,
    },
    document: listVertices,
    variables: (parameters) => parameters,
    reply: ({ vertices }, { network, blockchainId }) =>
      listReply('vertices', vertices, `,"chainInfo":${chainInfo(network, blockchainId)}`),
    response: {
      description: 'A page of vertices.',
      schema: { $ref: '#/components/schemas/ListVerticesResponse' },
    },
  }),
];
