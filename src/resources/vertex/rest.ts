import { objectSchema } from '../../fields/object-schema.js';
import { defineListRoute } from '../../rest/list-route.js';
import { pageArguments } from '../../rest/parameter.js';
import { vertexListArguments } from './arguments.js';
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

export const vertexRoutes = [
  defineListRoute({
    operation: 'ListVertices',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/vertices',
    summary: 'List vertices',
    description: 'Vertices of the X-chain from before its linearisation, newest first.',
    parameters: { ...vertexListArguments, ...pageArguments },
    field: 'vertices',
    rows: { name: 'vertices', words: 'vertices', schema: 'Vertex', page: 'VertexPage' },
    schemas: {
      ...chainInfoSchemas,
      Vertex: objectSchema('A vertex of the X-chain, from before it had blocks.', vertexFields),
    },
    more: chainInfo,
    example,
  }),
];
