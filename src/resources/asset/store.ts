import { networks, type Network } from '../../avalanche/networks.js';
import { inOrder, type Find } from '../../lists/find.js';
import type { Reader } from '../../storage/reader.js';
import type { AssetNode } from './row.js';

/** What identifies an asset. */
export interface AssetKey {
  network: Network;
  assetId: string;
}

export const nameOfAsset = ({ network, assetId }: AssetKey) => `${network}:${assetId}`;

/** Assets by their natural key. */
export const findAssets: Find<AssetKey, AssetNode> = async ({ prisma }, keys) => {
  const assets = await prisma.asset.findMany({
    where: {
      OR: networks.map((network) => ({
        network,
        assetId: { in: keys.filter((key) => key.network === network).map(({ assetId }) => assetId) },
      })),
    },
    omit: { id: true },
  });
  return inOrder(keys, nameOfAsset, assets, nameOfAsset);
};

/** Whether an asset of this row id exists. */
export function assetExists(storage: Reader, id: string): Promise<boolean> {
  const where = { id: Number(id) };
  return storage.holds(({ asset }) => asset.findUnique({ where, select: { id: true } }));
}
