import type { Resource } from '../../resource.js';
import { primaryNetworkTag } from '../utxo/resource.js';
import { vertexExport } from './export.js';
import { vertexImport } from './import.js';
import { vertexRoutes } from './rest.js';

export const vertex: Resource = {
  rest: { tag: primaryNetworkTag, routes: vertexRoutes },
  files: [vertexImport],
  exports: [vertexExport],
  pagedTable: 'vertex',
  counted: { table: 'vertex', label: 'X-chain vertices' },
};
