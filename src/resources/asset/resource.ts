import type { Resource } from '../../resource.js';
import { assetExport } from './export.js';
import { assetImport } from './import.js';

export const asset: Resource = {
  imports: [assetImport],
  exports: [assetExport],
};
