import type { Builder } from '../../graphql/builder.js';
import { registerNode } from '../../graphql/node.js';
import { sqlOf } from '../../graphql/sql-source.js';
import { addListField } from '../../graphql/list-field.js';
import { chainFields } from '../primary-chain/schema.js';
import { vertexArguments, vertexListArguments } from './arguments.js';
import { vertexFields, vertexKeys, vertexRows, type VertexNode } from './fields.js';
import {
  childVertexList,
  findVertices,
  parentVertexList,
  transactionVertexList,
  vertexList,
  vertexTransactionList,
} from './list.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    Vertex: VertexNode;
  }
}

/** Registers the type Vertex, the query fields vertex and vertices, and Transaction.vertices. */
export function registerVertex(builder: Builder): void {
  registerNode(builder, {
    type: 'Vertex',
    description: 'A vertex of the X-chain, which was a graph of vertices before its linearisation.',
    plural: 'vertices',
    id: 'vertexHash',
    keys: vertexKeys,
    fields: vertexFields,
    moreFields: (t) => ({
      ...chainFields(t, {
        description: 'the X-chain, the only chain with vertices',
        chainOf: () => 'x',
        sql: { network: 'v.network', chain: `'x'` },
      }),
      json: t.field({
        type: 'JsonText',
        description: 'The row as JSON text.',
        extensions: sqlOf({ value: { form: 'json', sql: vertexRows.columns.text } }),
        resolve: (vertex: VertexNode) => vertex.text,
      }),
    }),
    find: findVertices,
    query: {
      name: 'vertex',
      description: 'One vertex by its hash; null when it is not indexed.',
      arguments: vertexArguments,
    },
    list: {
      name: 'vertices',
      description:
        'Vertices of the X-chain, newest first; of one second by vertexHeight, then by vertexHash. Oldest first with sortOrder: asc.',
      arguments: vertexListArguments,
      list: vertexList,
    },
  });
  addListField(builder, 'Vertex', 'transactions', {
    type: 'TransactionConnection',
    description: 'Its transactions, in the order of the vertex, without those that are not indexed.',
    list: vertexTransactionList,
    of: { vertexRowId: ({ rowId }) => rowId },
    key: ({ network, vertexHash }) => ({ network, vertexHash }),
  });

  addListField(builder, 'Transaction', 'vertices', {
    type: 'VertexConnection',
    description:
      'The indexed vertices that contain the transaction, newest first. Only X-chain transactions from before the linearisation have any.',
    list: transactionVertexList,
    of: { network: ({ network }) => network, txHash: ({ txHash }) => txHash },
    isEmpty: ({ chain }) => chain !== 'x',
  });
  addListField(builder, 'Vertex', 'parents', {
    type: 'VertexConnection',
    description:
      'The vertices that it builds on, in the order of parentHashes, without those that are not indexed.',
    list: parentVertexList,
    of: { vertexRowId: ({ rowId }) => rowId },
    key: ({ network, vertexHash }) => ({ network, vertexHash }),
  });

  addListField(builder, 'Vertex', 'children', {
    type: 'VertexConnection',
    description:
      'The indexed vertices that build on it, newest first; of one second by vertexHeight, then by vertexHash.',
    list: childVertexList,
    of: { network: ({ network }) => network, vertexHash: ({ vertexHash }) => vertexHash },
  });
}
