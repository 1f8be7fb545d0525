import { createHash } from 'node:crypto';
import { formatAddress } from '../../src/avalanche/address.js';
import { encodeCb58 } from '../../src/avalanche/cb58.js';
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

/** A P-chain UTXO row with what an import requires, and the given fields over it. */
export function utxoRow(name: string, fields: object = {}, network: Network = 'mainnet') {
  return {
    utxoId: idOf(name),
    txHash: idOf(`maker of ${name}`),
    outputIndex: 0,
    addresses: [addressOf('anna', network)],
    assetId: nativeAssetIds[network],
    amount: '1000',
    createdOnChainId: blockchainIds[network].p,
    consumedOnChainId: blockchainIds[network].p,
    utxoType: 'TRANSFER',
    ...fields,
  };
}

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
