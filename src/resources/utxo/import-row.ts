import type { Network } from '../../avalanche/networks.js';
import { sortKeyOf } from '../../avalanche/sort-key.js';
import { recordReader } from '../../fields/column.js';
import { asObject, asRowId } from '../../rows/check.js';
import { RowError } from '../../rows/errors.js';
import { asUtxoAmount, type ImportAsset } from '../asset/write.js';
import { knownBlock } from './columns.js';
import { proveUtxo } from './import-proof.js';
import { utxoFields, type UtxoColumns, type UtxoNode } from './fields.js';

type OptionalName = 'rowId' | 'blockNumber' | 'blockTimestamp';

export type UtxoLine = Omit<UtxoNode, 'network' | OptionalName> & Partial<Pick<UtxoNode, OptionalName>>;

/** A UTXO as an import writes it: columns of `utxo` as PostgreSQL's texts, and its asset's id. */
export interface UtxoRecord extends UtxoColumns {
  asset_id: string;
  amount: string;
  tie: string;
}

/** A UTXO of an import row, with the asset that the row describes. */
export interface ImportUtxo {
  record: UtxoRecord;
  asset: ImportAsset;
  /** Its id in the installation that exported it. */
  rowId: string | null;
}

const noOthers = { asset_id: '', amount: '', tie: '' };
const readRecord = recordReader<typeof utxoFields, Network, typeof noOthers>(utxoFields, noOthers);

/** A transaction that consumes outputs, with its block as far as it is known. */
export interface Consumer {
  txHash: string;
  blockNumber: string | null;
  blockTimestamp: string;
}

/**
 * Reads a UTXO in the specification's shape.
 *
 * @param consumer if the output is in a list of consumed ones, its transaction
 * @throws RowError
 */
export function readUtxo(
  value: unknown,
  network: Network,
  name = 'the line',
  consumer: Consumer | null = null,
): ImportUtxo {
  const row = asObject<UtxoLine>(value, name);
  const { asset, amount } = asUtxoAmount(row.asset, row.assetId, row.amount);
  const record: UtxoRecord = readRecord(row, network);
  record.asset_id = asset.assetId;
  record.amount = amount;
  proveUtxo(record, network);
  record.tie = sortKeyOf(record.utxo_id).toString();
  if (consumer) consume(record, consumer);
  forgetMadeUp(record);
  checkConsumer(record);
  return { record, asset, rowId: asRowId(row.rowId) };
}

/** Sets to null what REST prints for an unknown block: see the fields that have `unknown`. */
function forgetMadeUp(record: UtxoRecord): void {
  const { block_timestamp: made, consuming_block_timestamp: spent } = record;
  record.block_number = knownBlock(record.block_number, record.created_on, made);
  record.consuming_block_number = knownBlock(record.consuming_block_number, record.consumed_on, spent);
  // No chain is this old.
  if (made === '0') record.block_timestamp = null;
  if (spent === '0') record.consuming_block_timestamp = null;
}

/** Adds what is missing in the row of a consumed output and its consumer knows. */
function consume(record: UtxoRecord, { txHash, blockTimestamp, blockNumber }: Consumer): void {
  record.consuming_tx_hash ??= txHash;
  if (record.consuming_tx_hash !== txHash) return;
  record.consuming_block_number ??= blockNumber;
  record.consuming_block_timestamp ??= blockTimestamp;
}

function checkConsumer(record: UtxoRecord): void {
  if (record.consuming_tx_hash !== null) return;
  const said = (['consumingBlockNumber', 'consumingBlockTimestamp'] as const).find(
    (field) => record[utxoFields[field].column.name] !== null,
  );
  if (said)
    throw new RowError(
      `${said}: ${record[utxoFields[said].column.name]} requires consumingTxHash, which is missing`,
    );
}
