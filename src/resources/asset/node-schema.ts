import { readId } from '../../avalanche/input.js';
import { parseNetwork, type Network } from '../../avalanche/networks.js';
import type { Builder } from '../../graphql/builder.js';
import { splitNetworkKey } from '../../graphql/global-id.js';
import { assetLoader } from './loaders.js';

/** Registers the type Asset and the query field asset. */
export function registerAssetNode(builder: Builder): void {
  builder.node('Asset', {
    description: 'An asset of a network.',
    id: {
      description: 'Global id, made of the network and the assetId.',
      resolve: ({ network, assetId }) => `${network}:${assetId}`,
    },
    loadOne: (id: string, context) => {
      const parts = splitNetworkKey(id);
      return parts && assetLoader(context).load({ network: parts.network, assetId: parts.key });
    },
    fields: (t) => ({
      network: t.field({ type: 'Network', description: 'Its network.', resolve: ({ network }) => network }),
      assetId: t.exposeString('assetId', { description: 'Id of the asset, 32 bytes in CB58.' }),
      name: t.exposeString('name', {
        description: 'Full name, for example Avalanche; empty until a row describes the asset.',
      }),
      symbol: t.exposeString('symbol', {
        description: 'Short name, for example AVAX; empty until a row describes the asset.',
      }),
      denomination: t.exposeInt('denomination', {
        description: 'How many decimal digits the smallest unit is below one coin, 0 to 32. 0 while unknown.',
      }),
      type: t.field({ type: 'AssetType', description: 'What it is made of.', resolve: ({ type }) => type }),
    }),
  });

  builder.queryField('asset', (t) =>
    t.field({
      type: 'Asset',
      nullable: true,
      description: 'One asset by its id; null when it is not held.',
      args: {
        network: t.arg({ type: 'Network', required: true, description: 'Network of the asset.' }),
        assetId: t.arg.string({ required: true, description: 'Id of the asset, CB58.' }),
      },
      resolve: (_root, args, context) =>
        assetLoader(context).load({
          network: parseNetwork(args.network) as Network,
          assetId: readId('assetId', args.assetId),
        }),
    }),
  );
}
