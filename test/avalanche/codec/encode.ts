import { decodeCb58 } from '../../../src/avalanche/cb58.js';
import type { Output, OutputKind, OutputOwners, Utxo } from '../../../src/avalanche/codec/types.js';

/* The other way round, written apart from the codec: what it gives must say every byte that it was given. */

const typeIds: Record<OutputKind, number> = {
  mint: 6,
  transfer: 7,
  'nft-mint': 10,
  'nft-transfer': 11,
  'property-mint': 15,
  'property-owned': 16,
};

export function encodeUtxo({ txId, outputIndex, assetId, output }: Utxo): Buffer {
  return Buffer.concat([u16(0), id(txId), u32(outputIndex), id(assetId), encodeOutput(output)]);
}

export function encodeOutput({ kind, amount, owners, stakeableLocktime, group, payload }: Output): Buffer {
  return Buffer.concat([
    ...(stakeableLocktime === null ? [] : [u32(22), u64(stakeableLocktime)]),
    u32(typeIds[kind]),
    ...(kind === 'transfer' ? [u64(amount)] : []),
    ...(group === null ? [] : [u32(group)]),
    ...(payload === null ? [] : [u32(payload.length), payload]),
    encodeOwners(owners),
  ]);
}

export function encodeOwners({ locktime, threshold, addresses }: OutputOwners): Buffer {
  return Buffer.concat([u64(locktime), u32(threshold), u32(addresses.length), ...addresses]);
}

export function id(text: string): Uint8Array {
  return decodeCb58(text) ?? new Uint8Array(0);
}

export function u16(value: number): Buffer {
  return Buffer.from(value.toString(16).padStart(4, '0'), 'hex');
}

export function u32(value: number): Buffer {
  return Buffer.from(value.toString(16).padStart(8, '0'), 'hex');
}

export function u64(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(16, '0'), 'hex');
}
