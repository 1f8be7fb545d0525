import { describe, expect, test } from 'vitest';
import { earnedBy, remarksOf } from '../../explorer/earned.js';

const period = (delegationFeePercent: string | null, startTimestamp = 100, endTimestamp = 900) => ({
  startTimestamp,
  endTimestamp,
  delegationFeePercent,
});

const stake = {
  txHash: 'hash',
  nodeId: 'NodeID-1',
  isDelegation: true,
  weight: '25000000000',
  potentialReward: '1000000007' as string | null,
  delegateeReward: '0',
  startTimestamp: 200,
  endTimestamp: 800,
  rewardAddresses: ['fuji1'],
  transaction: { chainTxType: 'AddPermissionlessDelegatorTx' },
  validator: { stakingPeriods: { nodes: [period('2')] } },
};
const earned = (changes: Partial<typeof stake>) => earnedBy(Object.assign({}, stake, changes));
const of = (...nodes: ReturnType<typeof period>[]) => ({ validator: { stakingPeriods: { nodes } } });

describe('what a stake that runs will be paid', () => {
  test('of a delegation is what its validator leaves, rounded down as the chain does', () => {
    expect(earned({})).toEqual({ amount: 980_000_006n, isAfterFee: true });
    expect(earned(of(period('2.0001')))).toEqual({ amount: 979_999_006n, isAfterFee: true });
  });

  test('has the fee of the period in which it lies', () => {
    const periods = of(period('20', 801, 2000), period('10', 300, 900), period(null), period('50'));
    expect(earned(periods)).toEqual({ amount: 500_000_003n, isAfterFee: true });
  });

  test('is before the fee where that is not known', () => {
    expect(earned(of())).toEqual({ amount: 1_000_000_007n, isAfterFee: false });
  });

  test('of a validator has what it earned with its delegators so far', () => {
    const paid = earned({ isDelegation: false, delegateeReward: '5' });
    expect(paid).toEqual({ amount: 1_000_000_012n, isAfterFee: true });
  });

  test('is perhaps not all for the address, nor all paid', () => {
    const remarks = (changes: Partial<typeof stake>) => remarksOf(Object.assign({}, stake, changes));
    const validator = (chainTxType: string, ...rewardAddresses: string[]) =>
      remarks({ isDelegation: false, transaction: { chainTxType }, rewardAddresses });
    expect(remarks({})).toEqual([]);
    expect(remarks(of())).toEqual(['before the fee']);
    expect(remarks({ rewardAddresses: ['a', 'b', 'c'] })).toEqual(['with 2 other addresses']);
    // It has one owner of its rewards, the others two.
    expect(validator('AddValidatorTx', 'a', 'b')).toEqual(['with another address']);
    expect(validator('AddPermissionlessValidatorTx', 'a', 'b')).toEqual([
      'with another address',
      'one may get only the fees of delegators',
    ]);
    expect(validator('AddAutoRenewedValidatorTx', 'a')).toEqual(['part of it may join the stake']);
  });

  test('is not known before its start', () => {
    expect(earned({ potentialReward: null })).toBeUndefined();
  });
});
