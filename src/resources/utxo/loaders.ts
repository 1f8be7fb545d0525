import { createContextCache } from '@pothos/core';
import DataLoader from 'dataloader';
import type { Context } from '../../graphql/context.js';
import type { Network } from '../../avalanche/networks.js';
import { countLoader, pageLoader } from '../../graphql/page-loader.js';
import { utxoQueryIdentity } from './query.js';
import { toUtxoNode, type UtxoNode, type UtxoRow } from './row.js';
import { countOwnedUtxos, findUtxos, listOwnedUtxos, type OwnedUtxoPage, type OwnedUtxos } from './store.js';

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

// Lists that differ in nothing but their address are read together.
const kindOf = ({ query }: OwnedUtxos) =>
  utxoQueryIdentity({ ...query, addresses: [] })
    .map(String)
    .join(' ');

/** Pages of the outputs of addresses; cursors are row ids. */
export const ownedUtxoPageLoader = createContextCache(({ storage }: Context) =>
  pageLoader<OwnedUtxoPage, UtxoRow>(kindOf, (pages) => listOwnedUtxos(storage, pages)),
);

/** Numbers of the outputs of addresses. */
export const ownedUtxoCounter = createContextCache((context: Context) =>
  countLoader<OwnedUtxos>(
    context,
    (list) => `${kindOf(list)} ${list.address}`,
    kindOf,
    (lists, most) => countOwnedUtxos(context.storage, lists, most),
  ),
);
