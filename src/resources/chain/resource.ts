import type { Resource } from '../../resource.js';
import type { Tag } from '../../rest/openapi/document.js';
import { chainExport } from './export.js';
import { chainImport } from './import.js';
import { chainRoutes } from './rest.js';

export const evmChainsTag: Tag = {
  name: 'EVM chains',
  description: 'Chains, and the internal transactions of their addresses.',
};

export const chain: Resource = {
  rest: { tag: evmChainsTag, routes: chainRoutes },
  files: [chainImport],
  exports: [chainExport],
  pagedTable: 'chain',
  counted: { table: 'chain', label: 'EVM chains' },
};
