import { GenesisError, type Allocation, type GenesisFile, type InitialStaker } from './genesis-file.js';
import { NO_CREDENTIALS, ZERO, base, compare, lockedOutput, owners, type Coins } from './genesis-pieces.js';
import { concat, list, u32Bytes, u64Bytes } from './writer.js';

/** A validator's transaction with the end of its period. */
interface Staker {
  readonly end: bigint;
  readonly bytes: Uint8Array;
}

/**
 * The transactions of the first validators.
 *
 * @param staked whose coins are dealt out to them, in the order of the file
 * @throws GenesisError
 */
export function validators(
  file: GenesisFile,
  asset: Uint8Array,
  staked: readonly Allocation[],
): Uint8Array[] {
  const coins = staked.flatMap(({ address, unlockSchedule }) =>
    unlockSchedule.map((locked) => ({ ...locked, address })),
  );
  const stakes = split(coins, file.initialStakers.length);
  const stakers = file.initialStakers.map((staker, index) => {
    const end = file.startTime + file.initialStakeDuration - BigInt(index) * file.initialStakeDurationOffset;
    if (end <= file.startTime || end >= 2n ** 64n)
      throw new GenesisError(
        `by the genesis file's initialStakeDuration, staker ${index} would end at ${end}`,
      );
    return { end, bytes: addValidator(file, staker, { end, asset, stake: stakes[index] ?? [] }) };
  });
  return inEndOrder(stakers);
}

/** Deals coins out to as many stakers so that all but the last have the same sum. */
function split(coins: readonly Coins[], parts: number): Coins[][] {
  if (parts === 0) return [];
  const share = coins.reduce((sum, { amount }) => sum + amount, 0n) / BigInt(parts);
  const all: Coins[][] = [];
  let current: Coins[] = [];
  let sum = 0n;
  for (const { amount, ...owner } of coins) {
    let left = amount;
    while (sum + left > share && all.length < parts - 1) {
      current.push({ amount: share - sum, ...owner });
      left -= share - sum;
      all.push(current);
      [current, sum] = [[], 0n];
    }
    if (left === 0n) continue;
    current.push({ amount: left, ...owner });
    sum += left;
  }
  return [...all, current];
}

/** AddValidatorTx, or AddPermissionlessValidatorTx for a staker with a key. */
function addValidator(
  file: GenesisFile,
  { nodeId, rewardAddress, delegationFee, signer }: InitialStaker,
  { end, asset, stake }: { end: bigint; asset: Uint8Array; stake: readonly Coins[] },
): Uint8Array {
  const weight = stake.reduce((sum, { amount }) => sum + amount, 0n);
  const sorted = [...stake].sort(
    (a, b) =>
      compare(a.locktime, b.locktime) || compare(a.amount, b.amount) || Buffer.compare(a.address, b.address),
  );
  const owner = concat([u32Bytes(11), owners(rewardAddress)]);
  const key = signer && concat([ZERO, u32Bytes(28), signer.publicKey, signer.proof]);
  return concat([
    u32Bytes(key ? 25 : 12),
    base(file.networkId, new Uint8Array(0)),
    concat([nodeId, u64Bytes(file.startTime), u64Bytes(end), u64Bytes(weight)]),
    key ?? new Uint8Array(0),
    list(sorted.map((coins) => concat([asset, lockedOutput(file, coins)]))),
    key ? concat([owner, owner]) : owner,
    u32Bytes(delegationFee),
    NO_CREDENTIALS,
  ]);
}

/** The order in which the node keeps them: a binary heap by end, filled in the file's order. */
function inEndOrder(stakers: readonly Staker[]): Uint8Array[] {
  const heap: Staker[] = [];
  for (const staker of stakers) {
    let index = heap.push(staker) - 1;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above] as Staker;
      if (parent.end <= staker.end) break;
      heap[index] = parent;
      heap[above] = staker;
      index = above;
    }
  }
  return heap.map(({ bytes }) => bytes);
}
