import type { Builder, Leaf } from '../../graphql/builder.js';
import { registerAssetNode } from './node-schema.js';
import type { AssetNode } from './row.js';

/** An asset amount as resolvers see it: the specification's JSON. */
export interface AssetAmountNode {
  assetId: string;
  name: string;
  symbol: string;
  denomination: number;
  type: 'secp256k1' | 'nft';
  amount: string;
}

export interface AssetObjects {
  Asset: AssetNode;
  AssetAmount: AssetAmountNode;
}

export type AssetEnums = {
  AssetType: Leaf<AssetAmountNode['type']>;
};

/** Registers the types AssetAmount and Asset, and the query field asset. */
export function registerAsset(builder: Builder): void {
  builder.enumType('AssetType', {
    description: 'What an asset is made of.',
    values: {
      secp256k1: { description: 'A fungible asset; outputs are spent by secp256k1 signatures.' },
      nft: { description: 'A non-fungible asset.' },
    },
  });

  builder.objectType('AssetAmount', {
    description: 'An amount of one asset, with what is known of the asset.',
    fields: (t) => ({
      assetId: t.exposeString('assetId', { description: 'Id of the asset, 32 bytes in CB58.' }),
      name: t.exposeString('name', {
        description: 'Full name, for example Avalanche; empty until a row describes the asset.',
      }),
      symbol: t.exposeString('symbol', {
        description: 'Short name, for example AVAX; empty until a row describes the asset.',
      }),
      denomination: t.exposeInt('denomination', {
        description:
          'How many decimal digits the smallest unit is below one coin, 0 to 32: 9 for AVAX. 0 while unknown.',
      }),
      type: t.field({
        type: 'AssetType',
        description: 'What the asset is made of.',
        resolve: (asset) => asset.type,
      }),
      amount: t.expose('amount', { type: 'BigNumber', description: "Amount in the asset's smallest unit." }),
    }),
  });

  registerAssetNode(builder);
}
