import type { AssetDescription } from './assets.js';

/** An amount of an asset in its smallest unit. */
export interface Amount {
  readonly assetId: string;
  readonly amount: bigint;
}

/** An asset amount as rows have it. */
export type AmountRow = AssetDescription & { readonly amount: string };

/** Amounts summed by asset, in the order in which the assets come first. */
export function sum(...lists: readonly (readonly Amount[])[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { assetId, amount } of lists.flat()) sums.set(assetId, (sums.get(assetId) ?? 0n) + amount);
  return sums;
}

/** What of the first sums is above the second: what a transaction burned. Minted assets are none. */
export function excess(
  consumed: ReadonlyMap<string, bigint>,
  made: ReadonlyMap<string, bigint>,
): Map<string, bigint> {
  const left = [...consumed].map(
    ([assetId, amount]) => [assetId, amount - (made.get(assetId) ?? 0n)] as const,
  );
  return new Map(left.filter(([, amount]) => amount > 0n));
}

/** Sums as rows have them. */
export function amountRows(
  sums: ReadonlyMap<string, bigint>,
  describe: (assetId: string) => AssetDescription,
): AmountRow[] {
  return [...sums].map(([assetId, amount]) => ({ amount: amount.toString(), ...describe(assetId) }));
}
