import { RowError } from '../../ingest/errors.js';
import type { ImportKind } from '../../ingest/kind.js';
import { primaryScope, type PrimaryScope } from '../../ingest/scope.js';
import { chainName } from '../../avalanche/networks.js';
import { readUtxo, type ImportUtxo } from './import-row.js';
import { utxoTables, utxoTablesIndexedLate, writeUtxos } from './import-store.js';

/** Files of UTXOs of one chain: created on it, or consumable on it. */
export const utxoImport: ImportKind<ImportUtxo, PrimaryScope> = {
  name: 'utxos',
  file: /^(?<network>[a-z]+)\.(?<chain>[pxc])-chain\.utxos(?:\.|$)/,
  example: 'mainnet.p-chain.utxos.ndjson',
  page: 'utxos',
  tables: utxoTables,
  indexedLate: utxoTablesIndexedLate,
  scope: primaryScope,
  read(value, { network, chain }) {
    const utxo = readUtxo(value, network);
    const { created_on: created, consumed_on: consumed } = utxo.record;
    if (created === chain || consumed === chain) return utxo;
    throw new RowError(
      `createdOnChainId: an output from ${chainName(created)} to ${chainName(consumed)} is not one of ${chainName(chain)}`,
    );
  },
  async write(client, scope, rows) {
    const { changed } = await writeUtxos(client, scope, rows);
    return { written: changed.size, unchanged: rows.length - changed.size };
  },
};
