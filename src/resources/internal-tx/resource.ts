import type { Resource } from '../../resource.js';
import { evmChainsTag } from '../chain/resource.js';
import { internalTxExport } from './export.js';
import { internalTxImport } from './import.js';
import { internalTxRoutes } from './rest.js';

export const internalTx: Resource = {
  rest: { tag: evmChainsTag, routes: internalTxRoutes },
  files: [internalTxImport],
  exports: [internalTxExport],
  pagedTable: 'internal_tx',
  onWorker: ['internal_tx'],
  counted: { table: 'internal_tx', label: 'Internal transactions' },
};
