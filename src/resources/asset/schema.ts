import type { Builder } from '../../graphql/builder.js';
import { exposeFields } from '../../graphql/fields.js';
import { splitNetworkKey } from '../../graphql/global-id.js';
import { rowField } from '../../graphql/row-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { sqlOf, sqlOfType } from '../../graphql/sql-source.js';
import { findTransactions } from '../transaction/list.js';
import { assetArguments } from './arguments.js';
import {
  ASSET_AMOUNT,
  assetAmountFields,
  assetFields,
  assetSource,
  type AssetAmountNode,
  type AssetNode,
  type PlacedAmount,
} from './fields.js';
import { findAssets } from './list.js';
import { registerAssetLists } from './lists-schema.js';

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
      asset: rowField(t, {
        type: 'Asset',
        description: 'The asset as a node; null when it is not indexed.',
        find: findAssets,
        of: ({ network, assetId }) => ({ network, assetId }),
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
      return parts && loadRow(context, findAssets, { network: parts.network, assetId: parts.key });
    },
    fields: (t) => ({
      network: t.expose('network', {
        type: 'Network',
        description: 'Its network.',
        extensions: sqlOf({ value: { form: 'plain', sql: assetSource.keys.network } }),
      }),
      ...exposeFields(t, assetFields),
      creatingTransaction: rowField(t, {
        type: 'Transaction',
        description:
          'The X-chain transaction that created the asset; its hash is the assetId. Null when it is not indexed.',
        find: findTransactions,
        of: ({ network, assetId }, constant) => ({ network, chain: constant('x'), txHash: assetId }),
      }),
    }),
  });

  registerAssetLists(builder);

  builder.queryField('asset', (t) =>
    rowField(t, {
      type: 'Asset',
      description: 'One asset by its id; null when it is not indexed.',
      find: findAssets,
      arguments: assetArguments,
    }),
  );
}
