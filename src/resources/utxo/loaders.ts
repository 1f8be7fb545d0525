import { createContextCache } from '@pothos/core';
import DataLoader from 'dataloader';
import type { Context } from '../../graphql/context.js';
import type { Network } from '../../avalanche/networks.js';
import { findUtxos } from './store.js';
import { toUtxoNode, type UtxoNode } from './row.js';

interface UtxoKey {
  network: Network;
  utxoId: string;
}

const keyOf = ({ network, utxoId }: UtxoKey) => `${network}:${utxoId}`;

/** UTXOs by network and utxoId; null for one that is not held. */
export const utxoLoader = createContextCache(
  ({ storage }: Context) =>
    new DataLoader<UtxoKey, UtxoNode | null, string>(
      async (keys) => {
        const rows = await findUtxos(storage, keys);
        const found = new Map(rows.map((row) => [keyOf(row), toUtxoNode(row)]));
        return keys.map((key) => found.get(keyOf(key)) ?? null);
      },
      { cacheKeyFn: keyOf },
    ),
);
