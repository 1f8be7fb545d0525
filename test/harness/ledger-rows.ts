import { createHash } from 'node:crypto';
import { addressBytes, formatAddress } from '../../src/avalanche/address.js';
import { decodeCb58, encodeCb58, withChecksum } from '../../src/avalanche/cb58.js';
import { utxoIdOf } from '../../src/avalanche/codec/ids.js';
import { blockchainIds, nativeAssetIds, type Network } from '../../src/avalanche/networks.js';

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** A 32-byte id, the same for the same text. */
export function idOf(text: string): string {
  return encodeCb58(hash(text));
}

/** An address, the same for the same text. */
export function addressOf(text: string, network: Network = 'mainnet'): string {
  return formatAddress(network, hash(text).subarray(0, 20));
}

/** The id of an output of a transaction; of a place that no output has, another id. */
export function outputIdOf(txHash: unknown, outputIndex: unknown): string {
  const txId = decodeCb58(String(txHash));
  const isIndex = Number.isInteger(outputIndex) && Number(outputIndex) < 2 ** 32;
  return txId && isIndex
    ? utxoIdOf(txId, Number(outputIndex))
    : idOf(`${String(txHash)} ${String(outputIndex)}`);
}

/**
 * A P-chain UTXO row with what an import requires, and the given fields over it. Its id is that of its place:
 * of output 0 of a transaction of its own, or, if the fields name a transaction, of an output of that which
 * has the name.
 */
export function utxoRow(name: string, fields: object = {}, network: Network = 'mainnet') {
  const given = fields as { txHash?: unknown; outputIndex?: unknown };
  const txHash = given.txHash ?? idOf(`maker of ${name}`);
  const outputIndex = given.outputIndex ?? (given.txHash === undefined ? 0 : hash(name).readUInt32BE());
  return {
    utxoId: outputIdOf(txHash, outputIndex),
    txHash: txHash as string,
    outputIndex: outputIndex as number,
    addresses: [addressOf('anna', network)],
    assetId: nativeAssetIds[network],
    amount: '1000',
    createdOnChainId: blockchainIds[network].p,
    consumedOnChainId: blockchainIds[network].p,
    utxoType: 'TRANSFER',
    ...fields,
  };
}

/**
 * A row with the bytes that a chain would have of it.
 *
 * @param payload of an NFT: the length of its payload in bytes
 */
export function withBytes<Row extends ReturnType<typeof utxoRow>>(row: Row, payload = -1) {
  const { txHash, outputIndex, assetId, addresses } = row;
  const more = row as { threshold?: number; platformLocktime?: number; stakeableLocktime?: number | bigint };
  const u32 = (number: number) => number.toString(16).padStart(8, '0');
  const u64 = (number: number | bigint) => BigInt(number).toString(16).padStart(16, '0');
  const idHex = (id: string) => Buffer.from(decodeCb58(id) as Uint8Array).toString('hex');
  const lock = more.stakeableLocktime === undefined ? '' : `${u32(22)}${u64(more.stakeableLocktime)}`;
  const body =
    payload < 0
      ? `${lock}${u32(7)}${u64(BigInt(row.amount))}`
      : `${u32(11)}${u32(1)}${u32(payload)}${'ab'.repeat(payload)}`;
  const owners = addresses.map((each) => Buffer.from(addressBytes(each)).toString('hex'));
  const hex = `0000${idHex(txHash)}${u32(outputIndex)}${idHex(assetId)}${body}${u64(more.platformLocktime ?? 0)}${u32(
    more.threshold ?? 1,
  )}${u32(owners.length)}${owners.join('')}`;
  return { ...row, utxoBytes: `0x${Buffer.from(withChecksum(Buffer.from(hex, 'hex'))).toString('hex')}` };
}

/** The id of the output that utxoRow makes of a name alone. */
export const outputId = (name: string): string => utxoRow(name).utxoId;

/** A transaction row with what an import requires, and the given fields over it. */
export function transactionRow(name: string, fields: object = {}) {
  return {
    txHash: idOf(name),
    txType: 'BaseTx',
    blockTimestamp: 1_700_000_000,
    consumedUtxos: [] as object[],
    emittedUtxos: [] as object[],
    ...fields,
  };
}
