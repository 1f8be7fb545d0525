import { argumentRefs, argumentsOf } from '../../graphql/arguments.js';
import type { Builder } from '../../graphql/builder.js';
import { exposeFields } from '../../graphql/fields.js';
import { splitNetworkKey } from '../../graphql/global-id.js';
import { sqlOf, sqlOfType } from '../../graphql/sql-source.js';
import { findTransactions } from '../transaction/list.js';
import { transactionLoader } from '../transaction/loaders.js';
import { assetArguments } from './arguments.js';
import {
  ASSET_AMOUNT,
  assetAmountFields,
  assetByKey,
  assetFields,
  assetSource,
  type AssetAmountNode,
  type PlacedAmount,
} from './fields.js';
import { registerAssetLists } from './lists-schema.js';
import { assetLoader } from './loaders.js';
import type { AssetNode } from './row.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    Asset: AssetNode;
    AssetAmount: PlacedAmount;
  }
  interface LeafTypes {
    AssetType: Leaf<AssetAmountNode['type']>;
  }
}

/** Registers the types AssetAmount, Asset and AssetHolder, and the query fields asset and assets. */
export function registerAsset(builder: Builder): void {
  builder.enumType('AssetType', {
    description: 'Whether an asset is fungible.',
    values: {
      secp256k1: { description: 'A fungible asset; outputs are spent by secp256k1 signatures.' },
      nft: { description: 'A non-fungible asset.' },
    },
  });

  builder.objectType('AssetAmount', {
    description: ASSET_AMOUNT,
    fields: (t) => ({
      ...exposeFields(t, assetAmountFields('')),
      asset: t.field({
        type: 'Asset',
        nullable: true,
        description: 'The asset as a node; null when it is not indexed.',
        resolve: ({ network, assetId }, _args, context) => assetLoader(context).load({ network, assetId }),
      }),
    }),
  });

  builder.node('Asset', {
    description: 'An asset of a network.',
    extensions: sqlOfType(assetSource),
    id: {
      description: 'Global id, made of the network and the assetId.',
      resolve: ({ network, assetId }) => `${network}:${assetId}`,
    },
    loadOne: (id: string, context) => {
      const parts = splitNetworkKey(id);
      return parts && assetLoader(context).load({ network: parts.network, assetId: parts.key });
    },
    fields: (t) => ({
      network: t.expose('network', {
        type: 'Network',
        description: 'Its network.',
        extensions: sqlOf({ value: { form: 'plain', sql: assetSource.keys.network } }),
      }),
      ...exposeFields(t, assetFields),
      creatingTransaction: t.field({
        type: 'Transaction',
        nullable: true,
        description:
          'The X-chain transaction that created the asset; its hash is the assetId. Null when it is not indexed.',
        extensions: sqlOf({
          row: {
            find: findTransactions,
            of: ({ network, assetId }: typeof assetSource.keys) => ({
              network,
              chain: `'x'`,
              txHash: assetId,
            }),
          },
        }),
        resolve: ({ network, assetId }, _args, context) =>
          transactionLoader(context).load({ network, chain: 'x', txHash: assetId }),
      }),
    }),
  });

  registerAssetLists(builder);

  builder.queryField('asset', (t) =>
    t.field({
      type: 'Asset',
      nullable: true,
      description: 'One asset by its id; null when it is not indexed.',
      args: argumentRefs(t, assetArguments),
      extensions: sqlOf({ row: { find: assetByKey, arguments: assetArguments } }),
      resolve: (_root, args, context) =>
        assetLoader(context).load(argumentsOf(assetArguments, args, context)),
    }),
  );
}
