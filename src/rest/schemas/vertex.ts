import { list, object, page, ref, text, whole, type JsonSchemas } from './build.js';

export const vertexSchemas: JsonSchemas = {
  Vertex: object('A vertex of the X-chain, from before it had blocks.', {
    vertexHash: text('Hash of the vertex, CB58.'),
    parentHashes: list('Hashes of the vertices that it follows.', { type: 'string' }),
    vertexHeight: whole('Height of the vertex.'),
    vertexIndex: whole('Index of the vertex.'),
    vertexTimestamp: whole('When it was accepted, Unix seconds.'),
    txCount: whole('Number of its transactions.'),
    transactions: list('Hashes of its transactions.', { type: 'string' }),
    vertexSizeBytes: whole('Its size, bytes.'),
  }),
  ListVerticesResponse: page('vertices', ref('Vertex'), { chainInfo: ref('ChainInfo') }),
};
