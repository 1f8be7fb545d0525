import { frequentId, readIdBytes } from './ids.js';
import { outputTypes, readOwners, readPayload, readUntypedOutput, type TypedOutput } from './outputs.js';
import type { ByteReader } from './reader.js';
import { readConsumed, readSignatureIndices, type Draft } from './transaction.js';
import { concat, sized, u32Bytes } from './writer.js';
import type { Operation } from './x-types.js';

/** Asset id, no outputs consumed, a burn without signatures. */
export const LEAST_OPERATION = 32 + 4 + 4 + 4;

const { mint, transfer, nftTransfer, propertyMint, propertyOwned } = outputTypes;

/**
 * Kind, and what each operation makes; the owners sign after it (avalanchego
 * vms/{secp256k1fx,nftfx,propertyfx}). A mint recreates its mint output, except that of an NFT.
 */
const kinds: Readonly<
  Record<number, { kind: Operation['kind']; outputs: (reader: ByteReader) => TypedOutput[] }>
> = {
  8: { kind: 'mint', outputs: inOrder(mint, transfer) },
  12: { kind: 'nft-mint', outputs: readNftMint },
  13: { kind: 'nft-transfer', outputs: inOrder(nftTransfer) },
  17: { kind: 'property-mint', outputs: inOrder(propertyMint, propertyOwned) },
  18: { kind: 'property-burn', outputs: () => [] },
};

function inOrder(...types: readonly number[]) {
  return (reader: ByteReader) => types.map((type) => readUntypedOutput(reader, type));
}

/** One NFT for each of several owners. */
function readNftMint(reader: ByteReader): TypedOutput[] {
  const group = reader.u32('group of an NFT');
  const payload = readPayload(reader);
  const head = concat([u32Bytes(nftTransfer), u32Bytes(group), sized(payload)]);
  return reader.list('owners of NFTs', 16, () => {
    const start = reader.offset;
    const owners = readOwners(reader);
    const output = {
      kind: 'nft-transfer',
      amount: 0n,
      stakeableLocktime: null,
      group,
      payload,
      owners,
    } as const;
    return { output, typed: concat([head, reader.bytes.subarray(start, reader.offset)]) };
  });
}

/** Reads an operation; what it consumes and makes goes to the lists of its transaction. */
export function readOperation(reader: ByteReader, draft: Draft): Operation {
  const assetIdBytes = readIdBytes(reader, 'asset id of an operation');
  const assetId = frequentId(assetIdBytes);
  const [firstInput, firstOutput] = [draft.inputs.length, draft.outputs.length];
  reader.list('outputs to consume', 36, () => {
    const consumed = readConsumed(reader);
    draft.inputs.push({ ...consumed, assetId, amount: null, stakeableLocktime: null, role: 'operation' });
  });
  const type = reader.u32('type of an operation');
  const known = kinds[type];
  if (!known) return reader.refuse(`an operation of type ${Object.keys(kinds).join(', ')}, not ${type}`, 4);
  readSignatureIndices(reader);
  for (const made of known.outputs(reader)) draft.outputs.push({ ...made, assetIdBytes, role: 'operation' });
  return {
    kind: known.kind,
    assetId,
    inputs: positions(firstInput, draft.inputs.length),
    outputs: positions(firstOutput, draft.outputs.length),
  };
}

function positions(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
