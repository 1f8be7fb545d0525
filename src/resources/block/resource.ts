import type { Resource } from '../../resource.js';
import { primaryNetworkTag } from '../utxo/resource.js';
import { blockExport } from './export.js';
import { blockImport } from './import.js';
import { blockRoutes } from './rest.js';

export const block: Resource = {
  rest: { tag: primaryNetworkTag, routes: blockRoutes },
  files: [blockImport],
  exports: [blockExport],
};
