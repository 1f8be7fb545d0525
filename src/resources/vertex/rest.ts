import { objectSchema } from '../../fields/object-schema.js';
import { ref } from '../../fields/json-schema.js';
import { graphql } from '../../generated/graphql/gql.js';
import { defineRoute, ofNetwork } from '../../rest/route.js';
import { defineListRoute } from '../../rest/list-route.js';
import { pageArguments } from '../../rest/parameter.js';
import { vertexArguments, vertexHeight, vertexListArguments } from './arguments.js';
import { vertexFields } from './fields.js';
import { chainInfo, chainInfoSchemas } from '../utxo/rest.js';

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

const getVertex = graphql(`
  query GetVertex($network: Network!, $vertexHash: String!) {
    vertex(network: $network, vertexHash: $vertexHash) {
      json
    }
  }
`);

const { network, blockchainId, sortOrder } = vertexListArguments;
const vertexSchemas = {
  ...chainInfoSchemas,
  Vertex: objectSchema('A vertex of the X-chain, from before it had blocks.', vertexFields),
};
const rows = { name: 'vertices', words: 'vertices', schema: 'Vertex', page: 'VertexPage' };

export const vertexRoutes = [
  defineListRoute({
    operation: 'ListVertices',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/vertices',
    summary: 'List vertices',
    description: 'Vertices of the X-chain from before its linearisation, newest first.',
    parameters: { network, blockchainId, ...pageArguments },
    dataOf: ofNetwork,
    field: 'vertices',
    rows,
    schemas: vertexSchemas,
    more: chainInfo,
    example,
  }),
  defineListRoute({
    operation: 'ListVerticesByHeight',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/vertices:listByHeight',
    summary: 'List vertices of a height',
    description: 'Vertices of the X-chain with a height, newest first unless sortOrder says otherwise.',
    parameters: {
      network,
      blockchainId,
      vertexHeight: { ...vertexHeight, example: example.vertices[0]!.vertexHeight },
      ...pageArguments,
      sortOrder,
    },
    dataOf: ofNetwork,
    field: 'vertices',
    rows,
    schemas: vertexSchemas,
    more: chainInfo,
    example,
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/vertices/{vertexHash}',
    summary: 'Get a vertex',
    description: 'One vertex by its hash.',
    parameters: {
      network,
      blockchainId,
      vertexHash: { ...vertexArguments.vertexHash, example: example.vertices[0]!.vertexHash },
    },
    document: getVertex,
    reply: ({ vertex }) => vertex && vertex.json,
    missing: ({ network, vertexHash }) => `vertex ${vertexHash} is not indexed for the X-chain of ${network}`,
    dataOf: ofNetwork,
    // The chain has made none since its linearisation.
    settledAt: () => 0,
    response: {
      description: 'The vertex.',
      schema: ref('Vertex'),
      components: vertexSchemas,
      example: example.vertices[0],
    },
  }),
];
