import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import type { ConnectionSource } from '../../graphql/connection.js';
import { exposeFields } from '../../graphql/fields.js';
import { listField } from '../../graphql/list-field.js';
import { sqlOfType } from '../../graphql/sql-source.js';
import { assetListArguments, holderArguments } from './arguments.js';
import { holderFields, type HolderNode } from './holders.js';
import { assetList, holderList } from './list.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    AssetConnection: ConnectionSource;
    AssetHolder: HolderNode;
    AssetHolderConnection: ConnectionSource;
  }
}

/** Registers the query field assets and the holders of an asset. */
export function registerAssetLists(builder: Builder): void {
  registerConnection(builder, 'Asset', 'assets');
  builder.queryField('assets', (t) =>
    listField(t, {
      type: 'AssetConnection',
      description: 'The assets of a network, by assetId, including those without any output.',
      list: assetList,
      arguments: assetListArguments,
    }),
  );

  builder.objectType('AssetHolder', {
    description: 'The balance of an address in one asset on one chain.',
    extensions: sqlOfType({ keys: {} }),
    fields: (t) => exposeFields(t, holderFields),
  });
  registerConnection(builder, 'AssetHolder', 'holders of an asset');
  builder.objectField('Asset', 'holders', (t) =>
    listField(t, {
      type: 'AssetHolderConnection',
      description:
        'The addresses that own unspent outputs of the asset, largest amount first. The order of equal amounts may differ between installations. Amounts are those of one chain, as Address.balances returns them for the same blockchainId, not those of the whole network. An output that can be consumed on another chain than the one that created it counts on both chains. An output with several owners counts in full for each. If an import changes amounts between two pages, a holder may appear twice or not at all.',
      list: holderList,
      arguments: holderArguments,
      of: { network: ({ network }) => network, assetId: ({ assetId }) => assetId },
    }),
  );
}
