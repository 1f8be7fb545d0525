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

const noOthers = { asset_id: '', amount: '', tie: '' };
const readRecord = recordReader<typeof utxoFields, Network, typeof noOthers>(utxoFields, noOthers);

/**
 * Reads a UTXO in the specification's shape.
 *
 * @throws RowError
 */
export function readUtxo(value: unknown, network: Network, name = 'the line'): ImportUtxo {
  const row = asObject<UtxoLine>(value, name);
  const { asset, amount } = asUtxoAmount(row.asset, row.assetId, row.amount);
  const record: UtxoRecord = readRecord(row, network);
  record.asset_id = asset.assetId;
  record.amount = amount;
  record.tie = tieOf(record.utxo_id).toString();
  return { record, asset, rowId: asRowId(row.rowId) };
}
