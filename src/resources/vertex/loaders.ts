import { createContextCache } from '@pothos/core';
import DataLoader from 'dataloader';
import type { Context } from '../../graphql/context.js';
import { countLoader, pageLoader } from '../../graphql/page-loader.js';
import {
  countTransactionVertices,
  countVertexTransactions,
  listTransactionVertices,
  listVertexTransactions,
  type TransactionVertexPage,
  type VertexTransactionPage,
  type VertexTransactionRow,
} from './link-store.js';
import { toVertexNode, type VertexNode, type VertexRow } from './row.js';
import { findVertices, type VertexKey } from './store.js';

const keyOf = ({ network, vertexHash }: VertexKey) => `${network}:${vertexHash}`;

/** Vertices by network and hash; null for one that is not held. */
export const vertexLoader = createContextCache(
  ({ storage }: Context) =>
    new DataLoader<VertexKey, VertexNode | null, string>(
      async (keys) => {
        const rows = await findVertices(storage, keys);
        const found = new Map(rows.map((row) => [keyOf(row), toVertexNode(row)]));
        return keys.map((key) => found.get(keyOf(key)) ?? null);
      },
      { cacheKeyFn: keyOf },
    ),
);

/** Pages of the held transactions of vertices; cursors are positions. */
export const vertexTransactionPageLoader = createContextCache(({ storage }: Context) =>
  pageLoader<VertexTransactionPage, VertexTransactionRow>(
    () => '',
    (pages) => listVertexTransactions(storage, pages),
  ),
);

/** Numbers of the held transactions of vertices, by the vertex's row id. */
export const vertexTransactionCounter = createContextCache((context: Context) =>
  countLoader<string>(
    context,
    (vertexRowId) => vertexRowId,
    () => '',
    (vertexRowIds, most) => countVertexTransactions(context.storage, vertexRowIds, most),
  ),
);

/** Pages of the vertices that name X-chain transactions; cursors are row ids. */
export const transactionVertexPageLoader = createContextCache(({ storage }: Context) =>
  pageLoader<TransactionVertexPage, VertexRow>(
    () => '',
    (pages) => listTransactionVertices(storage, pages),
  ),
);

/** Numbers of the vertices that name X-chain transactions. */
export const transactionVertexCounter = createContextCache((context: Context) =>
  countLoader<Pick<TransactionVertexPage, 'network' | 'txHash'>>(
    context,
    ({ network, txHash }) => `${network}:${txHash}`,
    () => '',
    (transactions, most) => countTransactionVertices(context.storage, transactions, most),
  ),
);
