import type { Network } from '../../avalanche/networks.js';
import { tieOf } from '../../avalanche/tie.js';
import { recordReader } from '../../fields/column.js';
import { asObject, asRowId } from '../../ingest/check.js';
import { asUtxoAmount, type ImportAsset } from '../asset/import-store.js';
import { utxoFields, type UtxoColumns, type UtxoNode } from './fields.js';

type MayLack = 'rowId' | 'blockNumber' | 'blockTimestamp';

/** A UTXO as a line of a file holds it, in the specification's shape. */
export type UtxoLine = Omit<UtxoNode, 'network' | MayLack> & Partial<Pick<UtxoNode, MayLack>>;

/** A UTXO as an import writes it: columns of the table `utxo` as PostgreSQL's texts, and the id of its asset. */
export interface UtxoRecord extends UtxoColumns {
  asset_id: string;
  amount: string;
  tie: string;
}

/** A UTXO of an import row, with what the row says of its asset. */
export interface ImportUtxo {
  record: UtxoRecord;
  asset: ImportAsset;
  /** The id that it had where it was exported. */
  rowId: string | null;
}

const readColumns = recordReader<typeof utxoFields, Network>(utxoFields);

/**
 * Reads a UTXO in the specification's shape.
 *
 * @throws RowError
 */
export function readUtxo(value: unknown, network: Network, name = 'the line'): ImportUtxo {
  const row = asObject<UtxoLine>(value, name);
  const { asset, amount } = asUtxoAmount(row.asset, row.assetId, row.amount);
  const columns = readColumns(row, network);
  const tie = tieOf(columns.utxo_id).toString();
  return { record: { ...columns, asset_id: asset.assetId, amount, tie }, asset, rowId: asRowId(row.rowId) };
}
