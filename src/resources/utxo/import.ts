import { RowError } from '../../rows/errors.js';
import type { RowKind } from '../../write/kind.js';
import type { FileKind } from '../../ingest/kind.js';
import { primaryScope } from '../../ingest/scope.js';
import type { PrimaryScope } from '../../write/scope.js';
import { chainName } from '../../avalanche/networks.js';
import { readUtxo, type ImportUtxo } from './import-row.js';
import { utxoTables, utxoTablesIndexedLate, writeUtxos } from './write.js';

export const utxoRows: RowKind<ImportUtxo, PrimaryScope> = {
  tables: utxoTables,
  indexedLate: utxoTablesIndexedLate,
  lock: ({ network }) => network,
  read(value, { network, chain }) {
    const utxo = readUtxo(value, network);
    const { created_on: created, consumed_on: consumed } = utxo.record;
    if (created === chain || consumed === chain) return utxo;
    throw new RowError(
      `createdOnChainId: an output from ${chainName(created)} to ${chainName(consumed)} is not one of ${chainName(chain)}`,
    );
  },
  async write(client, scope, rows) {
    const { changed, first } = await writeUtxos(client, scope, rows);
    return { written: changed.size, unchanged: rows.length - changed.size, first };
  },
};

/** Files of UTXOs of one chain: created on it, or consumable on it. */
export const utxoImport: FileKind<ImportUtxo, PrimaryScope> = {
  name: 'utxos',
  file: /^(?<network>[a-z]+)\.(?<chain>[pxc])-chain\.utxos(?:\.|$)/,
  example: 'mainnet.p-chain.utxos.ndjson',
  page: 'utxos',
  scope: primaryScope,
  rows: utxoRows,
};
