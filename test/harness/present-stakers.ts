import fc from 'fast-check';
import { SUM_STAKES } from '../../src/state/delegations.js';
import type { StakerRow, StateRows } from '../../src/state/staking.js';
import { isDelegator, isPending, priorities, type Priority } from '../../src/avalanche/chain/staker-order.js';
import { ZERO_ID } from '../../src/avalanche/codec/ids.js';
import { nativeAssetIds } from '../../src/avalanche/networks.js';
import { writeStateRows } from '../../src/follow/staking/write-rows.js';
import type { Storage } from '../../src/storage/open.js';
import { inWriteTransaction } from '../../src/write/transaction.js';
import { poolOf } from './connections.js';
import { idOf } from './ledger-rows.js';
import { nodeIdOf, subnetIdOf } from './platform-model.js';

/** The time of the chain when they stake, Unix seconds. */
export const NOW = 1_700_000_000;
/** The sum of what one L1 validator has paid until then, nAVAX. */
export const ACCRUED = 1_000n;
/** What an L1 validator pays for a second, nAVAX. */
export const PRICE = 512;

const rules = {
  cortinaTime: 0,
  durangoTime: 0,
  heliconTime: Infinity,
  etnaTime: 0,
  avaxAssetId: nativeAssetIds.fuji,
  fee: { target: 10_000n, minPrice: BigInt(PRICE), excessConversionConstant: 1_000n },
};

/** Makes these the stakers and L1 validators of fuji, written as the follower writes them. */
export async function writeStakers(
  storage: Storage,
  stakers: readonly StakerRow[],
  l1Validators: StateRows['l1Validators'] = [],
): Promise<void> {
  await poolOf(storage).query(
    'TRUNCATE follow_staking, follow_staker, follow_stake_total, follow_supply, follow_l1_validator, follow_subnet_fee, follow_paid_fee, follow_fee_day',
  );
  await addStakers(storage, stakers, l1Validators);
}

/** Adds these to them. */
export const addStakers = (
  storage: Storage,
  stakers: readonly StakerRow[],
  l1Validators: StateRows['l1Validators'] = [],
): Promise<void> =>
  storage.session((session) =>
    inWriteTransaction(session, ['fuji'], async (batch) => {
      await writeStateRows(batch, 'fuji', rules, {
        time: NOW,
        accrued: ACCRUED,
        stakers: [...stakers],
        l1Validators: [...l1Validators],
        feeDays: [],
        supplies: [{ subnetId: ZERO_ID, supply: 10n ** 17n, rates: null }],
      });
      // Those of before count too.
      await batch.query(SUM_STAKES);
    }),
  );

export const elastic = subnetIdOf('elastic');
export const permissioned = subnetIdOf('permissioned');

type Kinds = readonly Priority[];

const validates: Record<string, Kinds> = {
  [ZERO_ID]: [priorities.validator, priorities.pendingValidator],
  [elastic]: [priorities.subnetValidator, priorities.pendingSubnetValidator],
  [permissioned]: [priorities.permissioned, priorities.pendingPermissioned],
};
const delegates: Record<string, Kinds> = {
  [ZERO_ID]: [priorities.delegator, priorities.pendingDelegator, priorities.pendingOldDelegator],
  [elastic]: [priorities.subnetDelegator, priorities.pendingSubnetDelegator],
};

/** A staker of a name, by the values that tests choose. */
export const stakerLine = (
  name: string,
  given: Pick<StakerRow, 'subnetId' | 'nodeId' | 'priority' | 'weight'> & Partial<StakerRow>,
): StakerRow => ({
  txId: idOf(name),
  txType: isDelegator(given.priority) ? 'AddPermissionlessDelegatorTx' : 'AddPermissionlessValidatorTx',
  startTime: isPending(given.priority) ? NOW + 60 : NOW - 1000,
  endTime: NOW + 1000,
  potentialReward: 7n,
  delegateeReward: 0n,
  shares: 0,
  feeOwner: null,
  renewal: null,
  ...given,
});

const NODES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'].map(nodeIdOf);
const MOST = 3_000_000n * 10n ** 9n;

/** Validators of three subnets, and delegations to some; of few different values, so that ties are common. */
export const someStakers: fc.Arbitrary<StakerRow[]> = fc
  .record({
    validators: fc.uniqueArray(
      fc.record({
        subnetId: fc.constantFrom(ZERO_ID, elastic, permissioned),
        nodeId: fc.constantFrom(...NODES),
        pending: fc.boolean(),
        weight: fc.constantFrom(2_000n, 3_000n, MOST / 2n, MOST - 1n, MOST),
        endTime: fc.constantFrom(NOW + 5, NOW + 6, NOW + 2 ** 33),
        shares: fc.constantFrom(20_000, 20_001, 1_000_000),
        delegateeReward: fc.constantFrom(0n, 5n),
      }),
      { selector: ({ subnetId, nodeId }) => `${subnetId} ${nodeId}`, maxLength: 16 },
    ),
    delegations: fc.array(
      fc.record({
        of: fc.nat(20),
        pending: fc.boolean(),
        weight: fc.constantFrom(1n, 25n, 1_000n, MOST / 2n),
      }),
      { maxLength: 16 },
    ),
  })
  .map(({ validators, delegations }) => {
    const lines = validators.map(({ pending, subnetId, ...each }, index) => {
      const isPermissioned = subnetId === permissioned;
      const priority = (validates[subnetId] as Kinds)[pending ? 1 : 0] as Priority;
      const fee = isPermissioned ? { shares: 0, delegateeReward: 0n } : {};
      return stakerLine(`validator ${index}`, { subnetId, priority, ...each, ...fee });
    });
    const open = lines.filter(({ subnetId }) => subnetId !== permissioned);
    const all = delegations.flatMap(({ of, pending, weight }, index) => {
      const validator = open[of % Math.max(open.length, 1)];
      if (!validator) return [];
      const { subnetId, nodeId } = validator;
      const kinds = delegates[subnetId] as Kinds;
      // Nobody delegates before the validator starts.
      const priority = pending || isPending(validator.priority) ? kinds[1] : kinds[0];
      return [
        stakerLine(`delegation ${index}`, { subnetId, nodeId, weight, priority: priority as Priority }),
      ];
    });
    return [...lines, ...all];
  });

/** The delegations that have started to a validator. */
export const delegationsTo = (all: readonly StakerRow[], { subnetId, nodeId }: StakerRow) =>
  all.filter(
    (each) =>
      isDelegator(each.priority) &&
      !isPending(each.priority) &&
      each.subnetId === subnetId &&
      each.nodeId === nodeId,
  );

export const weightOf = (lines: readonly StakerRow[]) => lines.reduce((sum, { weight }) => sum + weight, 0n);
