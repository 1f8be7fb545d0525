import type { Builder } from '../../graphql/builder.js';
import { registerNode } from '../../graphql/node.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { addListField } from '../../graphql/list-field.js';
import type { Context } from '../../graphql/context.js';
import { exposeFields } from '../../graphql/fields.js';
import { rowField } from '../../graphql/row-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { sqlOf, sqlOfType } from '../../graphql/sql-source.js';
import { findTransactions } from '../transaction/list.js';
import { NEWEST_FIRST } from '../transaction/arguments.js';
import { assetTransactionList } from './transaction-list.js';
import {
  assetArguments,
  assetListArguments,
  assetTransactionArguments,
  holderArguments,
} from './arguments.js';
import { ASSET_AMOUNT, assetAmountFields, assetDetails, assetFields, assetKeys } from './fields.js';
import type { AssetAmountNode, AssetCap, AssetNode, PlacedAmount } from './fields.js';
import { assetList, findAssetDetails, findAssets, holderList } from './list.js';
import { holderFields, type HolderNode } from './holders.js';

const { cap } = assetDetails;

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    Asset: AssetNode;
    AssetAmount: PlacedAmount;
    AssetHolder: HolderNode;
  }
  interface LeafTypes {
    AssetType: Leaf<AssetAmountNode['type']>;
    AssetCap: Leaf<AssetCap>;
  }
}

export function registerAsset(builder: Builder): void {
  builder.enumType('AssetType', {
    description: 'Whether an asset is fungible.',
    values: {
      secp256k1: { description: 'A fungible asset; outputs are spent by secp256k1 signatures.' },
      nft: { description: 'A non-fungible asset.' },
    },
  });

  builder.enumType('AssetCap', {
    description: 'Whether more of an asset can be minted.',
    values: {
      fixed: { description: 'No output of its creation has the right to mint.' },
      variable: { description: 'Whoever has such an output can mint more.' },
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

  registerNode(builder, {
    type: 'Asset',
    description: 'An asset of a network.',
    plural: 'assets',
    id: 'assetId',
    keys: assetKeys,
    fields: assetFields,
    moreFields: (t) => ({
      cap: t.field({
        type: 'AssetCap',
        description: `${cap.description}.`,
        extensions: sqlOf({ value: { form: cap.kind.form, sql: cap.sql } }),
        resolve: async ({ network, assetId }: AssetNode, _args: object, context: Context) =>
          (await loadRow(context, findAssetDetails, { network, assetId }))?.cap ?? 'fixed',
      }),
      creatingTransaction: rowField(t, {
        type: 'Transaction',
        description:
          'The X-chain transaction that created the asset; its hash is the assetId. Null when it is not indexed.',
        find: findTransactions,
        of: ({ network, assetId }, constant) => ({ network, chain: constant('x'), txHash: assetId }),
      }),
    }),
    find: findAssets,
    query: {
      name: 'asset',
      description: 'One asset by its id; null when it is not indexed.',
      arguments: assetArguments,
    },
    list: {
      name: 'assets',
      description: 'The assets of a network, by assetId, including those without any output.',
      arguments: assetListArguments,
      list: assetList,
    },
  });
  addListField(builder, 'Query', 'assetTransactions', {
    type: 'TransactionConnection',
    description: `The transactions of the X-chain that consumed or emitted an output of an asset, ${NEWEST_FIRST}; oldest first with sortOrder: asc.`,
    list: assetTransactionList,
    arguments: assetTransactionArguments,
  });
  registerHolders(builder);
}

function registerHolders(builder: Builder): void {
  builder.objectType('AssetHolder', {
    description: 'The balance of an address in one asset on one chain.',
    extensions: sqlOfType({ keys: {} }),
    fields: (t) => exposeFields(t, holderFields),
  });
  registerConnection(builder, 'AssetHolder', 'holders of an asset');
  addListField(builder, 'Asset', 'holders', {
    type: 'AssetHolderConnection',
    description:
      'The addresses whose unspent outputs of the asset add up to more than 0, largest amount first. The order of equal amounts may differ between installations. Amounts are those of one chain, as Address.balances returns them for the same blockchainId, not those of the whole network. An output that can be consumed on another chain than the one that created it counts on both chains. An output with several owners counts in full for each. If amounts change between two pages, a holder may appear twice or not at all.',
    list: holderList,
    arguments: holderArguments,
    of: { network: ({ network }) => network, assetId: ({ assetId }) => assetId },
  });
}
