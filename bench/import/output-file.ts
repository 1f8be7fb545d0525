import { nativeAsset, nativeAssetIds } from '../../src/avalanche/networks.js';
import { addressOf, idOf, utxoRow, withBytes } from '../../test/harness/ledger-rows.js';
import { Random } from '../../test/harness/random.js';

/**
 * Outputs of mainnet's P-chain as an indexer returns them, about 1 kB each: two of each transaction, in the
 * order of time, six of ten spent by one of the next transactions, most of few owners.
 */
export function* makeOutputs(outputs: number): Generator<object> {
  const random = new Random(12);
  const owners = Array.from({ length: Math.ceil(outputs / 8) }, (_, index) => addressOf(`owner ${index}`));
  const assetId = nativeAssetIds.mainnet;
  for (let number = 0; number < outputs; number += 1) {
    const transaction = number >> 1;
    const consumer = transaction + 1 + (number % 50);
    const amount = String(1 + random.below(1e12));
    const row = utxoRow(`output ${number}`, {
      txHash: idOf(`transaction ${transaction}`),
      outputIndex: number & 1,
      assetId,
      amount,
      asset: { assetId, ...nativeAsset, amount },
      addresses: [owners[Math.floor(owners.length * random.next() ** 3)]],
      blockNumber: String(transaction),
      blockTimestamp: 1_600_000_000 + transaction,
      platformLocktime: 0,
      threshold: 1,
      staked: false,
      ...(random.chance(0.6) && {
        consumingTxHash: idOf(`transaction ${consumer}`),
        consumingBlockNumber: String(consumer),
        consumingBlockTimestamp: 1_600_000_000 + consumer,
      }),
    });
    yield withBytes(row);
  }
}
