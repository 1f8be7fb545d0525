import { readId, readPrimaryChain } from '../../avalanche/input.js';
import { checkBoth } from '../../errors.js';
import { parseNetwork, type Network } from '../../avalanche/networks.js';
import type { Builder } from '../../graphql/builder.js';
import { splitNetworkKey } from '../../graphql/global-id.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { readConnection, type ConnectionSource } from '../../graphql/connection.js';
import { countList } from '../../graphql/counting.js';
import { connectionLimits, parsePageArguments } from '../../paging/page-request.js';
import { digestQuery } from '../../paging/token.js';
import { toTransactionNode } from '../transaction/row.js';
import { vertexPositionExists } from './link-store.js';
import {
  transactionVertexCounter,
  transactionVertexPageLoader,
  vertexLoader,
  vertexTransactionCounter,
  vertexTransactionPageLoader,
} from './loaders.js';
import { toVertexNode, type VertexNode } from './row.js';
import { countVertices, listVertices, vertexExists } from './store.js';

export interface VertexObjects {
  Vertex: VertexNode;
  VertexConnection: ConnectionSource;
}

/** Registers the type Vertex, the query fields vertex and vertices, and Transaction.vertices. */
export function registerVertex(builder: Builder): void {
  registerType(builder);
  registerConnection(builder, 'Vertex', 'vertices');
  registerTransactions(builder);
  registerVerticesOfTransaction(builder);
  registerQueries(builder);
}

function registerType(builder: Builder): void {
  builder.node('Vertex', {
    description: 'A vertex of the X-chain, which was a graph of vertices before its linearisation.',
    id: {
      description: 'Global id, made of the network and the vertexHash.',
      resolve: (vertex) => `${vertex.network}:${vertex.vertexHash}`,
    },
    loadOne: (id: string, context) => {
      const parts = splitNetworkKey(id);
      return parts && vertexLoader(context).load({ network: parts.network, vertexHash: parts.key });
    },
    fields: (t) => ({
      vertexHash: t.exposeString('vertexHash', { description: 'Hash of the vertex, CB58.' }),
      parentHashes: t.exposeStringList('parentHashes', {
        description: 'Hashes of the vertices that it builds on, CB58.',
      }),
      vertexHeight: t.expose('vertexHeight', {
        type: 'Long',
        description: 'One more than its highest parent.',
      }),
      vertexIndex: t.expose('vertexIndex', {
        type: 'Long',
        description: 'Its index in the X-chain of its time.',
      }),
      vertexTimestamp: t.expose('vertexTimestamp', {
        type: 'Long',
        description: 'When it was accepted, Unix seconds.',
      }),
      txCount: t.expose('txCount', { type: 'Long', description: 'Number of its transactions.' }),
      txHashes: t.stringList({
        description: 'Hashes of its transactions in its own order, CB58, held or not.',
        resolve: (vertex) => vertex.transactions,
      }),
      vertexSizeBytes: t.expose('vertexSizeBytes', { type: 'Long', description: 'Encoded size, bytes.' }),
    }),
  });
}

function registerTransactions(builder: Builder): void {
  builder.objectField('Vertex', 'transactions', (t) =>
    t.field({
      type: 'TransactionConnection',
      description: 'Its transactions in its own order; those that are not held are missing.',
      args: t.arg.connectionArgs(),
      resolve: ({ network, vertexHash, rowId }, args, context) =>
        readConnection({
          tokens: context.tokens,
          query: digestQuery('vertex.transactions', [network, vertexHash]),
          request: parsePageArguments(args, connectionLimits),
          read: (request) => vertexTransactionPageLoader(context).load({ vertexRowId: rowId, request }),
          exists: (position) => vertexPositionExists(context.storage, rowId, position),
          count: () => vertexTransactionCounter(context)(rowId),
          toNode: (row) => toTransactionNode({ ...row, id: row.transactionId }),
        }),
    }),
  );
}

function registerVerticesOfTransaction(builder: Builder): void {
  builder.objectField('Transaction', 'vertices', (t) =>
    t.field({
      type: 'VertexConnection',
      description:
        'The held vertices that name the transaction, newest first. Only X-chain transactions from before the linearisation have any.',
      args: t.arg.connectionArgs(),
      resolve: ({ network, chain, txHash }, args, context) => {
        const isX = chain === 'x';
        return readConnection({
          tokens: context.tokens,
          query: digestQuery('transaction.vertices', [network, chain, txHash]),
          request: parsePageArguments(args, connectionLimits),
          read: (request) =>
            isX
              ? transactionVertexPageLoader(context).load({ network, txHash, request })
              : Promise.resolve([]),
          exists: (id) => vertexExists(context.storage, id),
          count: () =>
            isX
              ? transactionVertexCounter(context)({ network, txHash })
              : Promise.resolve({ count: 0, isExact: true }),
          toNode: toVertexNode,
        });
      },
    }),
  );
}

function registerQueries(builder: Builder): void {
  builder.queryField('vertex', (t) =>
    t.field({
      type: 'Vertex',
      nullable: true,
      description: 'One vertex by its hash; null when it is not held.',
      args: {
        network: t.arg({ type: 'Network', required: true, description: 'Network of the X-chain.' }),
        vertexHash: t.arg.string({ required: true, description: 'Hash of the vertex, CB58.' }),
      },
      resolve: (_root, args, context) =>
        vertexLoader(context).load({
          network: parseNetwork(args.network) as Network,
          vertexHash: readId('vertexHash', args.vertexHash),
        }),
    }),
  );

  builder.queryField('vertices', (t) =>
    t.field({
      type: 'VertexConnection',
      description: 'Vertices of the X-chain, newest first, ties by vertexHash.',
      args: {
        network: t.arg({ type: 'Network', required: true, description: 'Network of the X-chain.' }),
        blockchainId: t.arg.string({
          description:
            'x-chain, or the id of that blockchain on the network: no other chain had vertices. Default x-chain.',
        }),
        ...t.arg.connectionArgs(),
      },
      resolve: (_root, args, context) => {
        const { storage, tokens } = context;
        const network = parseNetwork(args.network) as Network;
        const [, request] = checkBoth(
          () => args.blockchainId && readPrimaryChain('blockchainId', network, args.blockchainId, ['x']),
          () => parsePageArguments(args, connectionLimits),
        );
        return readConnection({
          tokens,
          query: digestQuery('vertices', [network]),
          request,
          read: (request) => listVertices(storage, network, request),
          exists: (id) => vertexExists(storage, id),
          count: () => countList(context, (most) => countVertices(storage, network, most)),
          toNode: toVertexNode,
        });
      },
    }),
  );
}
