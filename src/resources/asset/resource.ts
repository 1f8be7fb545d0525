import type { Resource } from '../../resource.js';
import { assetExport } from './export.js';
import { assetImport } from './import.js';

export const asset: Resource = {
  files: [assetImport],
  exports: [assetExport],
};
