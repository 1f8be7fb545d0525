import { decodeCb58 } from '../src/avalanche/cb58.js';
import { nativeAsset, nativeAssetIds } from '../src/avalanche/networks.js';
import type { UtxoLine } from '../src/resources/utxo/import-row.js';

export type AssetAmount = UtxoLine['asset'];

export interface Asset extends Omit<AssetAmount, 'amount'> {
  /** 32 bytes. */
  id: Uint8Array;
}

export type AssetDescription = Pick<Asset, 'name' | 'symbol' | 'denomination' | 'type'>;

/** AVAX as fuji knows it. */
export const avax: Asset = {
  assetId: nativeAssetIds.fuji,
  id: decodeCb58(nativeAssetIds.fuji) ?? new Uint8Array(),
  ...nativeAsset,
};

export function amountOf(asset: Asset, amount: bigint): AssetAmount {
  const { assetId, name, symbol, denomination, type } = asset;
  return { assetId, name, symbol, denomination, type, amount: amount.toString() };
}

/** Amounts of AVAX in its smallest unit; at most nine digits after the point. */
export function nAvax(amount: number): bigint {
  return BigInt(Math.round(amount * 1e9));
}

/** Amounts added up by asset. */
export class AmountsByAsset {
  private readonly sums = new Map<string, { asset: Asset; amount: bigint }>();

  add(asset: Asset, amount: bigint): void {
    const sum = this.sums.get(asset.assetId);
    if (sum) sum.amount += amount;
    else this.sums.set(asset.assetId, { asset, amount });
  }

  /** One row for each asset with a supply above 0. */
  rows(): AssetAmount[] {
    return [...this.sums.values()]
      .filter(({ amount }) => amount > 0n)
      .map(({ asset, amount }) => amountOf(asset, amount));
  }
}
