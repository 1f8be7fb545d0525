import type { ImportKind } from '../../ingest/kind.js';
import { readNetworkPart, type NetworkScope } from '../../ingest/scope.js';
import { asAsset, mergeAssets, type ImportAsset } from './import-store.js';

/** Files of assets of one network. Other files describe assets in passing; these also those that no output has. */
export const assetImport: ImportKind<ImportAsset, NetworkScope> = {
  name: 'assets',
  file: /^(?<network>[a-z]+)\.assets(?:\.|$)/,
  example: 'mainnet.assets.ndjson',
  tables: ['asset'],
  scope: (parts) => ({ network: readNetworkPart(parts) }),
  read: (value) => asAsset(value, 'the line'),
  async write(client, { network }, rows) {
    const { written } = await mergeAssets(client, network, rows);
    return { written: written.length, unchanged: rows.length - written.length };
  },
};
