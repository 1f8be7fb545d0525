import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decodeCb58, isId } from '../../src/avalanche/cb58.js';
import { parseAddress } from '../../src/avalanche/address.js';
import { blockchainIds, nativeAssetIds } from '../../src/avalanche/networks.js';
import { utxoId } from '../../sample/utxo-id.js';
import { sampleFiles } from '../../sample/index.js';
import type { UtxoLine } from '../../src/resources/utxo/import-row.js';
import { chains, readSample } from '../harness/sample.js';

const { files, utxosOf, transactionsOf, allUtxos, allTransactions } = readSample();
const avaxId = nativeAssetIds.fuji;

const P_TYPES =
  `AddValidatorTx AddSubnetValidatorTx AddDelegatorTx CreateChainTx CreateSubnetTx ImportTx ExportTx AdvanceTimeTx
  RewardValidatorTx RemoveSubnetValidatorTx TransformSubnetTx AddPermissionlessValidatorTx
  AddPermissionlessDelegatorTx BaseTx TransferSubnetOwnershipTx ConvertSubnetToL1Tx RegisterL1ValidatorTx
  SetL1ValidatorWeightTx DisableL1ValidatorTx IncreaseL1ValidatorBalanceTx`.split(/\s+/);
const X_TYPES = 'BaseTx CreateAssetTx OperationTx ImportTx ExportTx'.split(' ');

function sum(amounts: readonly UtxoLine['asset'][], assetId: string): bigint {
  return amounts.reduce((all, one) => (one.assetId === assetId ? all + BigInt(one.amount) : all), 0n);
}

function held(utxos: readonly UtxoLine[], assetId: string): bigint {
  return sum(
    utxos.map(({ asset }) => asset),
    assetId,
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

describe('the sample as a whole', () => {
  test('is the same in every run', () => {
    const print = () => [...sampleFiles()].map(({ name, rows }) => [name, sha256(JSON.stringify([...rows]))]);
    expect(print()).toEqual([...files].map(([name, rows]) => [name, sha256(JSON.stringify(rows))]));
  });

  test('holds a few thousand outputs and more than 1,500 transactions', () => {
    expect(allUtxos.length).toBeGreaterThan(3_000);
    expect(allTransactions.length).toBeGreaterThan(1_500);
  });

  test('holds no null, no undefined and no number that JSON cannot carry, but for the nulls of a genesis', () => {
    const nullable = ['airdropAmount', 'baseFeePerGas', 'blobGasUsed', 'excessBlobGas'];
    const wrong: string[] = [];
    const walk = (value: unknown, path: string): void => {
      if (value === null && nullable.some((key) => path.endsWith(`genesisData.${key}`))) return;
      if (value === null || value === undefined) wrong.push(path);
      else if (typeof value === 'number' && !Number.isSafeInteger(value)) wrong.push(path);
      else if (typeof value === 'bigint') wrong.push(path);
      else if (typeof value === 'object')
        for (const [key, inner] of Object.entries(value)) walk(inner, `${path}.${key}`);
    };
    for (const [name, rows] of files) rows.forEach((row, index) => walk(row, `${name}[${index}]`));
    // JSON leaves undefined keys out, so such a key would only be an untidy row; null would be a wrong one.
    expect(wrong).toEqual([]);
  });
});

describe('outputs of the sample', () => {
  test('have unique ids that recompute from their transaction and index', () => {
    expect(new Set(allUtxos.map((row) => row.utxoId)).size).toBe(allUtxos.length);
    for (const row of allUtxos)
      expect(utxoId(decodeCb58(row.txHash) ?? new Uint8Array(), row.outputIndex)).toBe(row.utxoId);
  });

  test('carry their bytes, except those of NFT assets', () => {
    for (const row of allUtxos) expect(row.utxoBytes !== undefined).toBe(row.asset.type === 'secp256k1');
  });

  test('belong to valid fuji addresses, at least as many as the threshold', () => {
    for (const { addresses, threshold } of allUtxos) {
      expect(addresses.length).toBeGreaterThanOrEqual(threshold ?? Infinity);
      for (const address of addresses) expect(parseAddress('fuji', address)).toBe(address);
    }
  });

  test('lie in the file of the chain that created them', () => {
    for (const chain of chains)
      for (const row of utxosOf(chain)) expect(row.createdOnChainId).toBe(blockchainIds.fuji[chain]);
  });

  test('repeat their asset’s id and amount', () => {
    for (const row of allUtxos)
      expect([row.asset.assetId, row.asset.amount]).toEqual([row.assetId, row.amount]);
  });

  test('name no consumer while they are staked', () => {
    const staked = allUtxos.filter((row) => row.staked);
    expect(staked.length).toBeGreaterThan(5);
    for (const row of staked) expect(row).not.toHaveProperty('consumingTxHash');
  });

  test('include every special case that a reader may ask for', () => {
    const exported = allUtxos.filter((row) => row.createdOnChainId !== row.consumedOnChainId);
    const some = (test: (row: UtxoLine) => boolean) => allUtxos.some(test);
    expect(some((row) => row.threshold === 2 && row.addresses.length === 3)).toBe(true);
    expect(some((row) => (row.platformLocktime ?? 0) > 2 ** 32)).toBe(true);
    expect(some((row) => (row.stakeableLocktime ?? 0) > 2 ** 31)).toBe(true);
    expect(some((row) => row.utxoType === 'STAKE' && row.staked === true)).toBe(true);
    expect(some((row) => row.asset.type === 'nft')).toBe(true);
    expect(some((row) => BigInt(row.amount) > 2n ** 53n)).toBe(true);
    expect(exported.some((row) => row.consumingTxHash === undefined)).toBe(true);
    expect(new Set(exported.map((row) => `${row.createdOnChainId}>${row.consumedOnChainId}`)).size).toBe(6);
    expect(new Set(allUtxos.flatMap((row) => row.rewardType ?? []))).toEqual(
      new Set(['VALIDATOR', 'DELEGATOR', 'VALIDATOR_FEE']),
    );
  });

  test('give one address several hundred of them', () => {
    const counts = new Map<string, number>();
    for (const address of allUtxos.flatMap((row) => row.addresses))
      counts.set(address, (counts.get(address) ?? 0) + 1);
    expect(Math.max(...counts.values())).toBeGreaterThan(300);
  });
});

describe('transactions of the sample', () => {
  test('have unique ids', () => {
    expect(new Set(allTransactions.map((row) => row.txHash)).size).toBe(allTransactions.length);
    for (const { txHash } of allTransactions) expect(isId(txHash)).toBe(true);
  });

  test('are of every type that P and X have', () => {
    expect(new Set(transactionsOf('p').map((row) => row.txType))).toEqual(new Set(P_TYPES));
    expect(new Set(transactionsOf('x').map((row) => row.txType))).toEqual(new Set(X_TYPES));
    expect(new Set(transactionsOf('c').map((row) => row.txType))).toEqual(new Set(['ImportTx', 'ExportTx']));
  });

  test('spend only outputs that exist, that were there before, and that name them as their consumer', () => {
    const known = new Set(allUtxos);
    for (const transaction of allTransactions)
      for (const row of transaction.consumedUtxos) {
        expect(known.has(row)).toBe(true);
        expect(row.blockTimestamp).toBeLessThanOrEqual(transaction.blockTimestamp);
        expect([row.consumingTxHash, row.consumingBlockNumber, row.consumingBlockTimestamp]).toEqual([
          transaction.txHash,
          transaction.blockNumber,
          transaction.blockTimestamp,
        ]);
      }
  });

  test('spend nothing before it was emitted, nor twice', () => {
    for (const chain of chains) {
      const later = new Set(transactionsOf(chain).flatMap((row) => row.emittedUtxos));
      for (const transaction of transactionsOf(chain)) {
        for (const row of transaction.consumedUtxos) expect(later.has(row)).toBe(false);
        for (const row of transaction.emittedUtxos) later.delete(row);
      }
    }
    const consumed = allTransactions.flatMap((row) => row.consumedUtxos);
    expect(new Set(consumed).size).toBe(consumed.length);
    expect(consumed.length).toBe(allUtxos.filter((row) => row.consumingTxHash).length);
  });

  test('spend an output on the chain where it can be consumed, after every lock on it', () => {
    for (const chain of chains)
      for (const { consumedUtxos, blockTimestamp } of transactionsOf(chain))
        for (const row of consumedUtxos) {
          expect(row.consumedOnChainId).toBe(blockchainIds.fuji[chain]);
          expect(row.platformLocktime).toBeLessThanOrEqual(blockTimestamp);
          expect(row.utxoEndTimestamp ?? 0).toBeLessThanOrEqual(blockTimestamp);
        }
  });

  test('emit outputs of their own block, in the order of their index', () => {
    for (const {
      emittedUtxos,
      txType,
      txHash,
      stakingTxHash,
      blockNumber,
      blockTimestamp,
    } of allTransactions) {
      const indexes = emittedUtxos.map((row) => Number(row.outputIndex));
      expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
      for (const row of emittedUtxos)
        expect([row.txHash, row.blockNumber, row.blockTimestamp]).toEqual([
          txType === 'RewardValidatorTx' ? stakingTxHash : txHash,
          blockNumber,
          blockTimestamp,
        ]);
    }
  });

  test('create every output but those of the P-chain’s genesis', () => {
    const emitted = new Set(allTransactions.flatMap((row) => row.emittedUtxos));
    const orphans = allUtxos.filter((row) => !emitted.has(row));
    expect(orphans.length).toBeGreaterThan(0);
    for (const row of orphans) expect([row.txHash, row.blockNumber]).toEqual([blockchainIds.fuji.p, '0']);
  });

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

  test('burn exactly what goes in and does not come out', () => {
    for (const chain of chains)
      for (const row of transactionsOf(chain)) {
        const burned = sum(row.amountBurned, avaxId);
        expect(row.amountBurned.every(({ assetId }) => assetId === avaxId)).toBe(true);
        const credited = chain === 'c' && row.txType === 'ImportTx' ? sum(row.value, avaxId) : 0n;
        const returned = (row.l1ValidatorDetails ?? []).reduce(
          (all, { balanceChange = 0 }) => all + BigInt(Math.max(0, -Number(balanceChange))),
          0n,
        );
        const difference =
          held(row.consumedUtxos, avaxId) + returned - held(row.emittedUtxos, avaxId) - credited;
        // Rewards and AVAX itself are minted; what a C-chain export spends lies in an EVM account.
        const minted = row.txType === 'RewardValidatorTx' || row.txHash === avaxId;
        if (minted) expect(burned).toBe(0n);
        else if (chain === 'c' && row.txType === 'ExportTx') expect(burned).toBeGreaterThan(0n);
        else expect(burned).toBe(difference);
      }
  });

  test('neither create nor destroy another asset than AVAX, except by creating it', () => {
    for (const row of transactionsOf('x')) {
      if (row.txType === 'CreateAssetTx') continue;
      for (const { assetId } of row.consumedUtxos.filter((one) => one.assetId !== avaxId))
        expect(held(row.emittedUtxos, assetId)).toBe(held(row.consumedUtxos, assetId));
    }
  });

  test('stand in blocks whose numbers and times rise', () => {
    for (const chain of chains) {
      const blocks = transactionsOf(chain).filter((row) => row.blockNumber !== undefined);
      expect(blocks.length).toBeGreaterThan(50);
      for (const [index, row] of blocks.entries()) {
        const before = blocks[index - 1];
        if (!before) continue;
        const same = before.blockNumber === row.blockNumber;
        expect(before.blockHash === row.blockHash).toBe(same);
        expect(before.blockTimestamp === row.blockTimestamp).toBe(same);
        expect(Number(before.blockNumber)).toBeLessThanOrEqual(Number(row.blockNumber));
        expect(before.blockTimestamp).toBeLessThanOrEqual(row.blockTimestamp);
      }
    }
  });

  test('have a block, except on the X-chain before its linearisation', () => {
    const blockless = transactionsOf('x').filter((row) => row.blockNumber === undefined);
    const blocked = transactionsOf('x').filter((row) => row.blockNumber !== undefined);
    expect(Math.max(...blockless.map((row) => Number(row.blockTimestamp)))).toBeLessThanOrEqual(
      Math.min(...blocked.map((row) => Number(row.blockTimestamp))),
    );
    for (const row of blockless) expect(row).not.toHaveProperty('blockHash');
    for (const row of [...transactionsOf('p'), ...transactionsOf('c')]) expect(row.blockNumber).toBeDefined();
  });

  test('link every reward with the stake it ends', () => {
    const byHash = new Map(transactionsOf('p').map((row) => [row.txHash, row]));
    const rewards = transactionsOf('p').filter((row) => row.txType === 'RewardValidatorTx');
    for (const reward of rewards) {
      const staking = byHash.get(reward.stakingTxHash ?? '');
      expect(staking?.rewardTxHash).toBe(reward.txHash);
      expect(staking?.endTimestamp).toBeLessThanOrEqual(reward.blockTimestamp);
      expect(staking?.emittedUtxos.some((row) => row.staked)).toBe(false);
    }
    expect(transactionsOf('p').filter((row) => row.rewardTxHash).length).toBe(rewards.length);
  });

  test('fill the fields of their type and no others', () => {
    const wanted: Record<string, readonly string[]> = {
      startTimestamp: ['Add'],
      endTimestamp: ['Add'],
      delegationFeePercent: ['AddValidatorTx', 'AddPermissionlessValidatorTx'],
      nodeId: ['Add', 'RemoveSubnetValidatorTx'],
      estimatedReward: ['AddValidatorTx', 'AddDelegatorTx', 'AddPermissionless'],
      rewardAddresses: ['AddValidatorTx', 'AddDelegatorTx', 'AddPermissionless'],
      stakingTxHash: ['RewardValidatorTx'],
      l1ValidatorManagerDetails: ['ConvertSubnetToL1Tx'],
      l1ValidatorDetails: ['ConvertSubnetToL1Tx', 'RegisterL1', 'SetL1', 'DisableL1', 'IncreaseL1'],
      subnetOwnershipInfo: ['CreateSubnetTx', 'TransferSubnetOwnershipTx'],
      blsCredentials: ['AddPermissionlessValidatorTx'],
      blockchainInfo: ['CreateChainTx'],
      sourceChain: ['ImportTx', 'ExportTx'],
      destinationChain: ['ImportTx', 'ExportTx'],
    };
    const isAdvance = (txType: string) => txType === 'AdvanceTimeTx';
    for (const [field, types] of Object.entries(wanted))
      for (const row of allTransactions)
        expect(`${row.txType} ${field} ${field in row}`).toBe(
          `${row.txType} ${field} ${!isAdvance(row.txType) && types.some((type) => row.txType.startsWith(type))}`,
        );
  });
});
