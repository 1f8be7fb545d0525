import type { Resource } from '../../resource.js';
import { icmMessageExport } from './export.js';
import { messageDerivation } from './import-days.js';
import { icmMessageImport } from './import.js';
import { icmMessageRoutes } from './rest.js';

export const icmMessage: Resource = {
  rest: {
    tag: { name: 'Interchain messages', description: 'Messages between chains (ICM).' },
    routes: icmMessageRoutes,
  },
  files: [icmMessageImport],
  exports: [icmMessageExport],
  derivation: messageDerivation,
  pagedTable: 'icm_message',
  counted: { table: 'icm_message', label: 'Interchain messages' },
};
