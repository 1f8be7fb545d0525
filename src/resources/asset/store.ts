import type { Network } from '../../avalanche/networks.js';
import type { Storage } from '../../storage/open.js';
import { bind, statement } from '../../storage/statement.js';
import type { AssetNode } from './row.js';

/** What identifies an asset. */
export interface AssetKey {
  network: Network;
  assetId: string;
}

/** Assets by their natural key, in no particular order; those not held are missing. */
export function findAssets(storage: Storage, keys: readonly AssetKey[]): Promise<AssetNode[]> {
  const find = statement(
    'assets_by_key',
    () => `
      SELECT a.network, a.asset_id AS "assetId", a.name, a.symbol, a.denomination, a.type
      FROM unnest(:networks::network[], :assetIds::text[]) AS wanted(network, asset_id)
      JOIN asset a ON a.network = wanted.network AND a.asset_id = wanted.asset_id`,
  );
  const values = { networks: keys.map((key) => key.network), assetIds: keys.map((key) => key.assetId) };
  return storage.read(find, bind(find, values));
}
