import { transactionImport } from '../resources/transaction/import.js';
import { utxoImport } from '../resources/utxo/import.js';
import type { ImportKind } from './kind.js';

/** Every kind of file that can be imported. The only module of ingest/ that knows resources. */
export const importKinds: readonly ImportKind[] = [utxoImport, transactionImport];
