import { createHash } from 'node:crypto';
import { formatAddress } from '../../src/avalanche/address.js';
import { encodeCb58 } from '../../src/avalanche/cb58.js';

/** Type ids of outputs: what stands before the owners of each. */
const TRANSFER = 7;
const NFT_MINT = 10;
const NFT_TRANSFER = 11;
const STAKEABLE = 22;

/**
 * An output as a list of the API must show it, read from the text of a node's getUTXOs. Written apart from
 * the codec, so that a mistake of the codec is seen.
 *
 * @param hex 0x, codec version, transaction id, index, asset id, output, checksum
 */
export function outputOf(hex: string, createdOnChainId: string, consumedOnChainId: string) {
  const bytes = Buffer.from(hex.slice(2), 'hex');
  let at = 2;
  const take = (length: number) => bytes.subarray(at, (at += length));
  const u32 = () => take(4).readUInt32BE();
  const u64 = () => take(8).readBigUInt64BE();
  const txId = take(32);
  const outputIndex = u32();
  const assetId = encodeCb58(take(32));
  let type = u32();
  const stakeableLocktime = type === STAKEABLE ? Number(u64()) : null;
  if (stakeableLocktime !== null) type = u32();
  const amount = type === TRANSFER ? u64().toString() : '0';
  if (type === NFT_MINT || type === NFT_TRANSFER) take(4);
  if (type === NFT_TRANSFER) take(u32());
  const platformLocktime = Number(u64());
  const threshold = u32();
  const addresses = Array.from({ length: u32() }, () => formatAddress('fuji', take(20)));
  const slot = Buffer.alloc(8);
  slot.writeUInt32BE(outputIndex, 4);
  return {
    utxoId: encodeCb58(createHash('sha256').update(slot).update(txId).digest()),
    txHash: encodeCb58(txId),
    outputIndex,
    addresses,
    threshold,
    assetId,
    amount,
    platformLocktime,
    ...(stakeableLocktime === null ? {} : { stakeableLocktime }),
    utxoBytes: hex,
    createdOnChainId,
    consumedOnChainId,
  };
}

export type NodeOutput = ReturnType<typeof outputOf>;
