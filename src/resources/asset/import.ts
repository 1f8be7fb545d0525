import type { RowKind } from '../../write/kind.js';
import type { FileKind } from '../../ingest/kind.js';
import { readNetworkPart } from '../../ingest/scope.js';
import type { NetworkScope } from '../../write/scope.js';
import { asAsset, mergeAssets, type ImportAsset } from './write.js';

export const assetRows: RowKind<ImportAsset, NetworkScope> = {
  tables: ['asset'],
  lock: ({ network }) => network,
  read: (value) => asAsset(value, 'the line'),
  async write(client, { network }, rows) {
    const { written } = await mergeAssets(client, network, rows);
    return { written: written.length, unchanged: rows.length - written.length };
  },
};

/** Files of assets of one network. Only these have assets without outputs. */
export const assetImport: FileKind<ImportAsset, NetworkScope> = {
  name: 'assets',
  file: /^(?<network>[a-z]+)\.assets(?:\.|$)/,
  example: 'mainnet.assets.ndjson',
  scope: (fields) => ({ network: readNetworkPart(fields) }),
  rows: assetRows,
};
