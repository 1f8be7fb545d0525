import { formatAddress } from '../../avalanche/address.js';
import { withoutChecksum } from '../../avalanche/cb58.js';
import { utxoIdOfText } from '../../avalanche/codec/ids.js';
import { decodePlaced, type PlacedOutput } from '../../avalanche/codec/outputs.js';
import type { Output } from '../../avalanche/codec/types.js';
import { identityOf } from '../../avalanche/identity.js';
import type { Network } from '../../avalanche/networks.js';
import { messageOf } from '../../errors.js';
import { asId, bytesOfId } from '../../rows/check.js';
import { RowError } from '../../rows/errors.js';
import type { UtxoRecord } from './import-row.js';

/** Where ids stand in the bytes of an output: after the codec version, and after the transaction id and the index. */
const TX_ID_AT = 2;
const ASSET_ID_AT = 2 + 32 + 4;

/**
 * Compares an output's id with its place, and its bytes with all that they say of the other columns.
 *
 * @param record of which the id alone was not checked: that it is the right one takes less time
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
  const { output } = typed;
  // As texts, which are compared in less time than views of bytes are made.
  check('txHash', bytes.toString('latin1', TX_ID_AT, TX_ID_AT + 32) === bytesOfId(record.tx_hash));
  check('outputIndex', String(outputIndex) === record.output_index);
  check('assetId', bytes.toString('latin1', ASSET_ID_AT, ASSET_ID_AT + 32) === bytesOfId(record.asset_id));
  // An NFT's is not in its bytes.
  check('amount', output.kind !== 'transfer' || String(output.amount) === record.amount);
  check('addresses', isOwnedBy(record.addresses, output, network));
  check('threshold', isSaid(record.threshold, output.owners.threshold));
  check('platformLocktime', isSaid(record.platform_locktime, output.owners.locktime));
  check('stakeableLocktime', isSaid(record.stakeable_locktime, output.stakeableLocktime ?? 0));
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

/** Whether a column has the value, or none: a row may lack what its bytes say. */
const isSaid = (column: string | null, value: bigint | number) => column === null || column === String(value);

function isOwnedBy(addresses: string, { owners }: Output, network: Network): boolean {
  const found = owners.addresses.map((each) => addressText(network, each));
  // Nearly every output has one owner.
  if (addresses === `{${found.join(',')}}`) return true;
  const listed = addresses === '{}' ? [] : addresses.slice(1, -1).split(',');
  return [...new Set(listed)].sort().join() === [...new Set(found)].sort().join();
}

// Owners come again and again, and bech32 takes longer than all else of this. By the hrp, which another identity changes.
const MOST_REMEMBERED = 10_000;
const remembered = new Map<string, string>();

function addressText(network: Network, bytes: Uint8Array): string {
  const key =
    identityOf(network).hrp + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const address = formatAddress(network, bytes);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(key, address);
  return address;
}
