import type { Resource } from '../../resource.js';
import type { Tag } from '../../rest/openapi/document.js';
import { utxoExport } from './export.js';
import { countedUtxos } from './counted.js';
import { utxoImport } from './import.js';
import { utxoDerivation } from './import-stored.js';
import { utxoRoutes } from './rest.js';

export const primaryNetworkTag: Tag = {
  name: 'Primary network',
  description: 'UTXOs, transactions and vertices of the P-, X- and C-chain.',
};

export const utxo: Resource = {
  rest: { tag: primaryNetworkTag, routes: utxoRoutes },
  files: [utxoImport],
  exports: [utxoExport],
  derivation: utxoDerivation,
  pagedTable: 'utxo',
  countedByLedger: countedUtxos,
};
