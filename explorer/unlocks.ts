import type { AddressTimesQuery, LockedPageFragment } from './generated/others/graphql.js';

type Output = LockedPageFragment['nodes'][number];
type Times = NonNullable<AddressTimesQuery['address']>;

/** What becomes spendable at one time. */
export interface Unlock {
  /** Unix seconds; undefined where it is not known. */
  at?: number;
  /** Why it cannot be spent until then. */
  why: string;
  asset: Output['asset'];
  /** Whether several owners must sign. */
  isShared: boolean;
  /** Sum of the outputs, smallest units. */
  amount: bigint;
  outputs: number;
  /** Sum of this and of all that is earlier, of the same asset, smallest units. */
  byThen: bigint;
}

/** The lists of the document, and what the outputs of each wait for. */
const lists = [
  ['locked', 'locked', ({ platformLocktime }: Output) => [platformLocktime]],
  ['lockedOnX', 'locked, on the X-chain', ({ platformLocktime }: Output) => [platformLocktime]],
  ['stakeable', 'can only be staked', ({ stakeableLocktime }: Output) => [stakeableLocktime]],
  [
    'staked',
    'staked',
    // A stake of locked outputs ends before the lock does.
    ({ utxoEndTimestamp, stakeableLocktime, platformLocktime }: Output) =>
      utxoEndTimestamp ? [utxoEndTimestamp, stakeableLocktime, platformLocktime] : [],
  ],
] as const;

/** What becomes spendable at which time, in order; what has no known time is last. */
export function unlocksOf(times: Times): Unlock[] {
  const found = new Map<string, Unlock>();
  for (const [list, why, endsOf] of lists)
    for (const output of times[list].nodes) {
      const ends = endsOf(output).map(Number);
      const at = Math.max(0, ...ends) || undefined;
      const isShared = Number(output.threshold) > 1;
      const key = [at, why, isShared, output.asset.assetId].join(' ');
      const empty = { at, why, isShared, asset: output.asset, amount: 0n, outputs: 0, byThen: 0n };
      const unlock = found.get(key) ?? empty;
      unlock.amount += BigInt(output.asset.amount);
      unlock.outputs += 1;
      found.set(key, unlock);
    }
  const unlocks = [...found.values()].sort((one, other) => (one.at ?? Infinity) - (other.at ?? Infinity));
  const sums = new Map<string, bigint>();
  for (const unlock of unlocks) {
    const sum = (sums.get(unlock.asset.assetId) ?? 0n) + unlock.amount;
    sums.set(unlock.asset.assetId, sum);
    unlock.byThen = sum;
  }
  return unlocks;
}

/** Whether a list has more outputs than were asked. */
export const areMore = (times: Times) => lists.some(([list]) => times[list].pageInfo.hasNextPage);
