import { withoutChecksum } from '../../avalanche/cb58.js';
import { contradicted, membersOf } from '../../avalanche/chain/output-members.js';
import { utxoIdOfText } from '../../avalanche/codec/ids.js';
import { decodePlaced, type PlacedOutput } from '../../avalanche/codec/outputs.js';
import type { Network } from '../../avalanche/networks.js';
import { messageOf } from '../../errors.js';
import { asId, bytesOfId } from '../../rows/check.js';
import { RowError } from '../../rows/errors.js';
import type { UtxoRecord } from './import-row.js';

/** Where ids stand in the bytes of an output: after the codec version, the transaction id and the index. */
const TX_ID_AT = 2;
const ASSET_ID_AT = 2 + 32 + 4;

/**
 * Compares an output's id with its transaction and index, and its bytes with the columns that they determine.
 *
 * @param record with everything but the id checked: comparing the id takes less time
 * @throws RowError that names the member which contradicts the others
 */
export function proveUtxo(record: UtxoRecord, network: Network): void {
  const { utxo_id: given, tx_hash: txHash, output_index: index } = record;
  const id = utxoIdOfText(bytesOfId(txHash) as string, Number(index));
  if (given !== id)
    throw new RowError(
      `utxoId: ${asId(given, 'utxoId')} is not ${id}, the id of output ${index} of ${txHash}`,
    );
  if (record.utxo_bytes !== null) proveBytes(record, record.utxo_bytes, network);
}

function proveBytes(record: UtxoRecord, hex: string, network: Network): void {
  const bytes = Buffer.from(hex.slice('\\x'.length), 'hex');
  const { outputIndex, typed } = decode(bytes);
  // As texts, which are compared in less time than views of bytes are made.
  check('txHash', bytes.toString('latin1', TX_ID_AT, TX_ID_AT + 32) === bytesOfId(record.tx_hash));
  check('outputIndex', String(outputIndex) === record.output_index);
  check('assetId', bytes.toString('latin1', ASSET_ID_AT, ASSET_ID_AT + 32) === bytesOfId(record.asset_id));
  const [member] = contradicted(record, membersOf(typed.output, network));
  if (member !== undefined) check(member, false);
}

function decode(bytes: Buffer): PlacedOutput {
  try {
    return decodePlaced(withoutChecksum(bytes));
  } catch (error) {
    throw new RowError(`utxoBytes: is no output with its checksum: ${messageOf(error)}`);
  }
}

function check(member: string, isRight: boolean): void {
  if (!isRight) throw new RowError(`utxoBytes: contradicts ${member}`);
}
