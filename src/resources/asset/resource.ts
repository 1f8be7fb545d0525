import type { Resource } from '../../resource.js';
import { assetExport } from './export.js';
import { primaryNetworkTag } from '../utxo/resource.js';
import { assetImport } from './import.js';
import { assetRoutes } from './rest.js';

export const asset: Resource = {
  rest: { tag: primaryNetworkTag, routes: assetRoutes },
  files: [assetImport],
  exports: [assetExport],
};
