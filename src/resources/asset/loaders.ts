import { createContextCache } from '@pothos/core';
import DataLoader from 'dataloader';
import type { Context } from '../../graphql/context.js';
import type { AssetNode } from './row.js';
import { findAssets, type AssetKey } from './store.js';

const keyOf = ({ network, assetId }: AssetKey) => `${network}:${assetId}`;

/** Assets by network and id; null for one that is not held. */
export const assetLoader = createContextCache(
  ({ storage }: Context) =>
    new DataLoader<AssetKey, AssetNode | null, string>(
      async (keys) => {
        const found = new Map((await findAssets(storage, keys)).map((asset) => [keyOf(asset), asset]));
        return keys.map((key) => found.get(keyOf(key)) ?? null);
      },
      { cacheKeyFn: keyOf },
    ),
);
