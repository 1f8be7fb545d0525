import { describe, expect, test } from 'vitest';
import { nativeAssetIds } from '../../src/avalanche/networks.js';
import type { UtxoLine } from '../../src/resources/utxo/import-row.js';
import { chains, readSample } from '../harness/sample.js';

const { transactionsOf } = readSample();
const avaxId = nativeAssetIds.fuji;

function sum(amounts: readonly UtxoLine['asset'][], assetId: string): bigint {
  return amounts.reduce((all, one) => (one.assetId === assetId ? all + BigInt(one.amount) : all), 0n);
}

function held(utxos: readonly UtxoLine[], assetId: string): bigint {
  return sum(
    utxos.map(({ asset }) => asset),
    assetId,
  );
}

describe('transactions of the sample', () => {
  test('say in value what they newly created of each asset', () => {
    for (const chain of chains)
      for (const row of transactionsOf(chain)) {
        const creditedToEvm = chain === 'c' && row.txType === 'ImportTx';
        if (creditedToEvm) continue;
        const assetIds = new Set(row.emittedUtxos.map(({ assetId }) => assetId));
        expect(row.value.map(({ assetId }) => assetId).sort()).toEqual([...assetIds].sort());
        for (const assetId of assetIds) expect(sum(row.value, assetId)).toBe(held(row.emittedUtxos, assetId));
      }
  });

  test('burn exactly what goes in and does not come out, but what went to balances of L1 validators', () => {
    let l1Deposits = 0n;
    for (const chain of chains)
      for (const row of transactionsOf(chain)) {
        const burned = sum(row.amountBurned, avaxId);
        expect(row.amountBurned.every(({ assetId }) => assetId === avaxId)).toBe(true);
        const credited = chain === 'c' && row.txType === 'ImportTx' ? sum(row.value, avaxId) : 0n;
        const returned = (row.l1ValidatorDetails ?? []).reduce(
          (all, { balanceChange = 0 }) => all + BigInt(Math.max(0, -Number(balanceChange))),
          0n,
        );
        const deposited = sum(row.amountL1ValidatorBalanceBurned, avaxId);
        expect(deposited, row.txHash).toBe(
          (row.l1ValidatorDetails ?? []).reduce(
            (all, { balanceChange = 0 }) => all + BigInt(Math.max(0, Number(balanceChange))),
            0n,
          ),
        );
        l1Deposits += deposited;
        const difference =
          held(row.consumedUtxos, avaxId) + returned - held(row.emittedUtxos, avaxId) - credited - deposited;
        // Rewards and AVAX itself are minted; an export from the C-chain spends from an EVM account.
        const minted = row.txType === 'RewardValidatorTx' || row.txHash === avaxId;
        if (minted) expect(burned).toBe(0n);
        else if (chain === 'c' && row.txType === 'ExportTx') expect(burned).toBeGreaterThan(0n);
        else expect(burned).toBe(difference);
      }
    expect(l1Deposits).toBeGreaterThan(0n);
  });

  test('neither create nor destroy another asset than AVAX, except by creating it', () => {
    for (const row of transactionsOf('x')) {
      if (row.txType === 'CreateAssetTx') continue;
      for (const { assetId } of row.consumedUtxos.filter((one) => one.assetId !== avaxId))
        expect(held(row.emittedUtxos, assetId)).toBe(held(row.consumedUtxos, assetId));
    }
  });
});
