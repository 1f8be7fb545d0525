import fc from 'fast-check';
import { blockchainIds, nativeAssetIds } from '../../src/avalanche/networks.js';
import { addressOf, idOf, utxoRow } from './ledger-rows.js';

const { p, x } = blockchainIds.mainnet;

/** Owners of the outputs. */
export const outputOwners = ['anna', 'ben', 'cleo'].map((name) => addressOf(name));

const always = {
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  addresses: fc.subarray(outputOwners),
  assetId: fc.constantFrom(nativeAssetIds.mainnet, idOf('another asset')),
  amount: fc.constantFrom('0', '7', '18446744073709551615'),
  chains: fc.constantFrom([p, p], [p, x], [x, p]),
};

/**
 * Arbitrary rows of outputs, so few different ones that rows are about the same output, owner or asset.
 *
 * @param fields of the rows, which may be absent; those that every row has may be given other values
 */
export function anyOutput(
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>> & Partial<typeof always>,
): fc.Arbitrary<object> {
  const given = fc.record({ ...always, ...fields }, { requiredKeys: Object.keys(always) as never[] });
  return given.map((row) => {
    const { name, chains, ...more } = row as {
      name: string;
      chains: readonly string[];
      consumingTxHash?: string;
    };
    return utxoRow(name, {
      ...more,
      createdOnChainId: chains[0],
      consumedOnChainId: chains[1],
      // No time of a transaction that is none.
      ...(!more.consumingTxHash && { consumingBlockTimestamp: undefined }),
    });
  });
}
