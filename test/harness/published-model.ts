import { outputOf } from './output-bytes.js';

/** An output as a list of REST shows it. */
export interface ListedOutput {
  utxoId: string;
  addresses: string[];
  asset: { assetId: string; amount: string };
  amount: string;
  platformLocktime?: number;
  stakeableLocktime?: number;
  staked?: boolean;
  createdOnChainId: string;
  consumedOnChainId: string;
  blockTimestamp: number;
  utxoStartTimestamp?: number;
  utxoEndTimestamp?: number;
  consumingTxHash?: string;
  rewardType?: string;
  utxoBytes?: string;
}

/** What an output says of itself: its bytes, of a sample that has none its row. */
function saidBy(row: ListedOutput): {
  addresses: string[];
  amount: bigint;
  platform: number;
  stakeable: number;
} {
  const { utxoBytes: bytes } = row;
  const said = bytes ? outputOf(bytes, row.createdOnChainId, row.consumedOnChainId) : row;
  const isNft = bytes?.slice(2 + 2 * 70, 2 + 2 * 74) === '0000000b';
  return {
    addresses: said.addresses,
    amount: isNft ? 1n : BigInt(said.amount),
    platform: said.platformLocktime ?? 0,
    stakeable: said.stakeableLocktime ?? 0,
  };
}

/** What can be done with an unspent output at a time. */
function kindOf(row: ListedOutput, at: number): string {
  const { platform, stakeable } = saidBy(row);
  const last = Math.max(platform, stakeable);
  if (row.createdOnChainId !== row.consumedOnChainId)
    return last > at ? 'atomicMemoryLocked' : 'atomicMemoryUnlocked';
  if (row.staked) {
    const { utxoStartTimestamp: start = 0, utxoEndTimestamp: end = 0 } = row;
    if (start > at && start > row.blockTimestamp) return 'pendingStaked';
    return last > at && last > end ? 'lockedStaked' : 'unlockedStaked';
  }
  if (platform > at) return 'lockedPlatform';
  return stakeable > at ? 'lockedStakeable' : 'unlockedUnstaked';
}

const atomic = { atomicMemoryUnlocked: 'atomicMemoryUnlocked', atomicMemoryLocked: 'atomicMemoryLocked' };
const ofP = ['unlockedUnstaked', 'unlockedStaked', 'lockedPlatform', 'lockedStakeable', 'lockedStaked'];
/** The names of the lists of each chain, and which kind each is. */
const published: Record<'p' | 'x' | 'c', Record<string, string>> = {
  p: { ...Object.fromEntries([...ofP, 'pendingStaked'].map((name) => [name, name])), ...atomic },
  x: { locked: 'lockedPlatform', unlocked: 'unlockedUnstaked', ...atomic },
  c: atomic,
};

/**
 * The balances of addresses on a chain, by looking at each unspent output once.
 *
 * @param outputs that the list of the chain shows
 */
export function balancesOf(
  outputs: readonly ListedOutput[],
  owners: readonly string[],
  chain: 'p' | 'x' | 'c',
  chainId: string,
  at: number,
): Record<string, object[]> {
  const own = outputs.filter((row) => saidBy(row).addresses.some((each) => owners.includes(each)));
  return Object.fromEntries(
    Object.entries(published[chain]).map(([name, kind]) => {
      const sums = new Map<string, { amount: bigint; utxoCount: number; asset: object }>();
      for (const row of own.filter((one) => kindOf(one, at) === kind)) {
        const { createdOnChainId: from, consumedOnChainId: to } = row;
        const shared = from === to ? {} : { sharedWithChainId: from === chainId ? to : from };
        const status =
          from === to || chain !== 'p' ? {} : { status: from === chainId ? 'outgoing' : 'incoming' };
        const asset = { ...row.asset, ...shared, ...status };
        const key = JSON.stringify([row.asset.assetId, from, to]);
        const found = sums.get(key) ?? { amount: 0n, utxoCount: 0, asset };
        found.amount += saidBy(row).amount;
        found.utxoCount += 1;
        sums.set(key, found);
      }
      const rows = [...sums.values()].map(({ amount, utxoCount, asset }) => ({
        ...asset,
        amount: amount.toString(),
        utxoCount,
      }));
      return [name, sortedSums(rows)];
    }),
  );
}

/** In one order, whatever the order of the members. */
export const sortedSums = <T extends object>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
const textOf = (row: object) => JSON.stringify(Object.entries(row).sort());
