import { encodeCb58 } from '../cb58.js';
import { frequentId, readIdBytes, utxoIdOf } from './ids.js';
import { readWhole, type ByteReader } from './reader.js';
import type { Output, OutputKind, OutputOwners, Utxo } from './types.js';
import { concat, u32Bytes } from './writer.js';

/** Type ids of outputs, which P, X and C share. */
export const outputTypes = {
  mint: 6,
  transfer: 7,
  nftMint: 10,
  nftTransfer: 11,
  propertyMint: 15,
  propertyOwned: 16,
  stakeable: 22,
} as const;

/** An output as its bytes say it. */
export interface TypedOutput {
  readonly output: Output;
  /** Type id and fields. */
  readonly typed: Uint8Array;
}

/** Smallest output that has a type id: a property's, with owners without addresses. */
export const LEAST_OUTPUT = 20;

/** locktime, threshold, addresses. */
export function readOwners(reader: ByteReader): OutputOwners {
  const locktime = reader.u64('locktime of owners');
  return { locktime, ...readThreshold(reader) };
}

/** Owners without locktime, as messages of L1s write them. */
export function readPlainOwners(reader: ByteReader): OutputOwners {
  return { locktime: 0n, ...readThreshold(reader) };
}

function readThreshold(reader: ByteReader) {
  const threshold = reader.u32('threshold of owners');
  const addresses = reader.list('addresses', 20, () => reader.take(20, 'address'));
  return { threshold, addresses };
}

/** An output of this kind with what it has in addition to its owners. */
const outputOf = (
  kind: OutputKind,
  owners: OutputOwners,
  { amount = 0n, stakeableLocktime = null, group = null, payload = null }: Partial<Output> = {},
): Output => ({ kind, amount, owners, stakeableLocktime, group, payload });

const ownedOnly = (kind: OutputKind) => (reader: ByteReader) => outputOf(kind, readOwners(reader));

/** The fields that follow each type id. */
const bodies: Readonly<Record<number, (reader: ByteReader) => Output>> = {
  [outputTypes.mint]: ownedOnly('mint'),
  [outputTypes.transfer]: (reader) => readTransfer(reader),
  [outputTypes.nftMint]: (reader) => {
    const group = reader.u32('group of an NFT');
    return outputOf('nft-mint', readOwners(reader), { group });
  },
  [outputTypes.nftTransfer]: (reader) => {
    const group = reader.u32('group of an NFT');
    const payload = readPayload(reader);
    return outputOf('nft-transfer', readOwners(reader), { group, payload });
  },
  [outputTypes.propertyMint]: ownedOnly('property-mint'),
  [outputTypes.propertyOwned]: ownedOnly('property-owned'),
  [outputTypes.stakeable]: (reader) => {
    const stakeableLocktime = reader.u64('locktime of a stakeable output');
    // A lock in a lock is refused by nodes, and would let bytes nest without bound.
    if (reader.u32('type of a locked output') !== outputTypes.transfer)
      reader.refuse('a transfer output (type 7) in a stakeable one', 4);
    return readTransfer(reader, stakeableLocktime);
  },
};

/** Nodes refuse a longer payload. A mint repeats it for each owner: unbounded, a small input became large. */
const MOST_PAYLOAD = 1024;

export function readPayload(reader: ByteReader): Uint8Array {
  const payload = reader.sized('payload of an NFT');
  if (payload.length > MOST_PAYLOAD)
    reader.refuse(`a payload of at most ${MOST_PAYLOAD} bytes`, payload.length + 4);
  return payload;
}

function readTransfer(reader: ByteReader, stakeableLocktime: bigint | null = null): Output {
  const amount = reader.u64('amount');
  return outputOf('transfer', readOwners(reader), { amount, stakeableLocktime });
}

/** An output with its type id, which must be one of `allowed`. */
export function readOutput(reader: ByteReader, allowed: readonly number[]): TypedOutput {
  const start = reader.offset;
  const type = reader.u32('type of an output');
  const read = allowed.includes(type) ? bodies[type] : undefined;
  if (!read) return reader.refuse(`an output of type ${allowed.join(', ')}, not ${type}`, 4);
  const output = read(reader);
  return { output, typed: reader.bytes.subarray(start, reader.offset) };
}

/** An output that stands in an operation without its type id: it is stored with it. */
export function readUntypedOutput(reader: ByteReader, type: number): TypedOutput {
  const start = reader.offset;
  const output = (bodies[type] as (reader: ByteReader) => Output)(reader);
  return { output, typed: concat([u32Bytes(type), reader.bytes.subarray(start, reader.offset)]) };
}

/** An output where it stands. */
export interface PlacedOutput {
  readonly txIdBytes: Uint8Array;
  readonly outputIndex: number;
  readonly assetIdBytes: Uint8Array;
  readonly typed: TypedOutput;
}

/** The output with where it was created; its bytes are utxoBytes of the API (docs/contract.md). */
export function outputAt(
  outputContext: { txIdBytes: Uint8Array; txId: string; outputIndex: number; assetIdBytes: Uint8Array },
  { output, typed }: TypedOutput,
): Utxo {
  const { txIdBytes, txId, outputIndex, assetIdBytes } = outputContext;
  return {
    txId,
    outputIndex,
    utxoId: utxoIdOf(txIdBytes, outputIndex),
    assetId: frequentId(assetIdBytes),
    output,
    bytes: concat([Uint8Array.of(0, 0), txIdBytes, u32Bytes(outputIndex), assetIdBytes, typed]),
  };
}

/** An unspent output as getUTXOs and getRewardUTXOs of a node give it, without the checksum of its text. */
export function decodeUtxo(bytes: Uint8Array): Utxo {
  return named(decodePlaced(bytes));
}

/** The same without the texts of its ids, which take most of the time. */
export function decodePlaced(bytes: Uint8Array): PlacedOutput {
  return readWhole('the output', bytes, (reader) => {
    reader.version('an output');
    return readPlaced(reader);
  });
}

/** An output without codec version. */
export const readUtxo = (reader: ByteReader): Utxo => named(readPlaced(reader));

function readPlaced(reader: ByteReader): PlacedOutput {
  const txIdBytes = readIdBytes(reader, 'transaction id of an output');
  const outputIndex = reader.u32('output index');
  const assetIdBytes = readIdBytes(reader, 'asset id of an output');
  return { txIdBytes, outputIndex, assetIdBytes, typed: readOutput(reader, everyType) };
}

const everyType = Object.values(outputTypes);

const named = ({ txIdBytes, outputIndex, assetIdBytes, typed }: PlacedOutput): Utxo =>
  outputAt({ txIdBytes, txId: encodeCb58(txIdBytes), outputIndex, assetIdBytes }, typed);
