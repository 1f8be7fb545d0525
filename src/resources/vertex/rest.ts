import { objectSchema } from '../../fields/object-schema.js';
import { ref } from '../../fields/json-schema.js';
import { graphql } from '../../generated/graphql/gql.js';
import { pageArguments } from '../../rest/parameter.js';
import { vertexListArguments } from './arguments.js';
import { vertexFields } from './fields.js';
import { listReply, page } from '../../rest/reply.js';
import { defineRoute } from '../../rest/route.js';
import { chainInfo, chainInfoSchemas } from '../utxo/rest.js';

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

/** As in the sample. */
const example = {
  vertices: [
    {
      vertexHash: 'm9GjHYUTTX9Uhm3XhYUn1DX2a7z9TPK1h7rWbYZnZWDYxhpn9',
      parentHashes: ['nG6JqtuWLv2YZqLUm6Emko3KGjQ4pwUCDFDkcQfYXhgbsGZYd'],
      vertexHeight: 579,
      vertexIndex: 0,
      vertexTimestamp: 1767217493,
      txCount: 1,
      transactions: ['APzABqW6wU855XU6uta7VxeHBcmAyRcKe1yMroN2VviXNW3M3'],
      vertexSizeBytes: 710,
    },
  ],
  chainInfo: { chainName: 'x-chain', network: 'fuji' },
};

export const vertexRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/vertices',
    summary: 'List vertices',
    description: 'Vertices of the X-chain from before its linearisation, newest first.',
    parameters: { ...vertexListArguments, ...pageArguments },
    document: listVertices,
    reply: ({ vertices }, { network, blockchainId }) =>
      listReply('vertices', vertices, `,"chainInfo":${chainInfo(network, blockchainId)}`),
    response: {
      description: 'A page of vertices.',
      schema: ref('VertexPage'),
      components: {
        ...chainInfoSchemas,
        Vertex: objectSchema('A vertex of the X-chain, from before it had blocks.', vertexFields),
        VertexPage: page('vertices', ref('Vertex'), { chainInfo: ref('ChainInfo') }),
      },
      example,
    },
  }),
];
