import { describe, expect, test } from 'vitest';
import { isId } from '../../src/avalanche/cb58.js';
import { typesWhere } from '../../src/avalanche/chain/transactions.js';
import { blockchainIds } from '../../src/avalanche/networks.js';
import { allTypes, isTypeOn } from '../../src/resources/transaction/tx-types.js';
import { chains, readSample } from '../harness/sample.js';

const { transactionsOf, allUtxos, allTransactions } = readSample();

/** The closed set of the published API. */
const P_TYPES =
  `AddValidatorTx AddSubnetValidatorTx AddDelegatorTx CreateChainTx CreateSubnetTx ImportTx ExportTx AdvanceTimeTx
  RewardValidatorTx RemoveSubnetValidatorTx TransformSubnetTx AddPermissionlessValidatorTx
  AddPermissionlessDelegatorTx BaseTx TransferSubnetOwnershipTx ConvertSubnetToL1Tx RegisterL1ValidatorTx
  SetL1ValidatorWeightTx DisableL1ValidatorTx IncreaseL1ValidatorBalanceTx`.split(/\s+/);
const X_TYPES = 'BaseTx CreateAssetTx OperationTx ImportTx ExportTx'.split(' ');

test('replies name the types of the published API and no others', () => {
  const published = new Set<string>([...P_TYPES, ...X_TYPES, 'UNKNOWN']);
  expect(new Set<string>(typesWhere('isPublished', true))).toEqual(published);
});

describe('transactions of the sample', () => {
  test('have unique ids', () => {
    expect(new Set(allTransactions.map((row) => row.txHash)).size).toBe(allTransactions.length);
    for (const { txHash } of allTransactions) expect(isId(txHash)).toBe(true);
  });

  test.each(chains)('are of every type of the %s-chain that replies name', (chain) => {
    const names = allTypes.filter((type) => type !== 'UNKNOWN' && isTypeOn(chain, type));
    expect(new Set(transactionsOf(chain).map((row) => row.txType))).toEqual(new Set(names));
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

  test('are in blocks whose numbers and times rise', () => {
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
