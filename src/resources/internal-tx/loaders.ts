import { createContextCache } from '@pothos/core';
import DataLoader from 'dataloader';
import type { Context } from '../../graphql/context.js';
import { countLoader, pageLoader } from '../../graphql/page-loader.js';
import { toInternalTxNode, type InternalTxNode, type InternalTxRow } from './row.js';
import {
  countInternalTxs,
  findInternalTxs,
  listInternalTxs,
  type InternalTxKey,
  type InternalTxPage,
  type InternalTxQuery,
} from './store.js';

/** Internal transactions by their natural key; null for one that is not held. */
export const internalTxLoader = createContextCache(
  ({ storage }: Context) =>
    new DataLoader<InternalTxKey, InternalTxNode | null, string>(
      async (keys) => (await findInternalTxs(storage, keys)).map((row) => row && toInternalTxNode(row)),
      { cacheKeyFn: ({ evmChainId, txHash, position, tie }) => `${evmChainId}:${txHash}:${position}:${tie}` },
    ),
);

/** Pages of the internal transactions of addresses; cursors are row ids. */
export const internalTxPageLoader = createContextCache(({ storage }: Context) =>
  pageLoader<InternalTxPage, InternalTxRow>(
    () => '',
    (pages) => listInternalTxs(storage, pages),
  ),
);

/** Numbers of the internal transactions of addresses. */
export const internalTxCounter = createContextCache((context: Context) =>
  countLoader<InternalTxQuery>(
    context,
    ({ evmChainId, address, startBlock, endBlock }) => `${evmChainId}:${address}:${startBlock}:${endBlock}`,
    () => '',
    (queries, most) => countInternalTxs(context.storage, queries, most),
  ),
);
