import type { Resource } from '../../resource.js';
import { primaryNetworkTag } from '../utxo/resource.js';
import { transactionExport } from './export.js';
import { countedTransactions } from './counted.js';
import { transactionImport } from './import.js';
import { transactionRoutes } from './rest.js';

export const transaction: Resource = {
  rest: { tag: primaryNetworkTag, routes: transactionRoutes },
  files: [transactionImport],
  exports: [transactionExport],
  pagedTable: 'transaction',
  countedByLedger: countedTransactions,
};
