import { createContextCache } from '@pothos/core';
import DataLoader from 'dataloader';
import type { Context } from '../../graphql/context.js';
import { toIcmMessageNode, type IcmMessageNode } from './row.js';
import { findIcmMessages, type IcmMessageKey } from './store.js';

/** ICM messages by network and id; null for one that is not held. */
export const icmMessageLoader = createContextCache(
  ({ storage }: Context) =>
    new DataLoader<IcmMessageKey, IcmMessageNode | null, string>(
      async (keys) => (await findIcmMessages(storage, keys)).map((row) => row && toIcmMessageNode(row)),
      { cacheKeyFn: ({ network, messageId }) => `${network}:${messageId}` },
    ),
);
