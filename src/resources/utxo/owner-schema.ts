import type { Builder } from '../../graphql/builder.js';
import { checkBoth } from '../../errors.js';
import { readConnection } from '../../graphql/connection.js';
import { connectionLimits, parsePageArguments } from '../../paging/page-request.js';
import { digestQuery } from '../../paging/token.js';
import { ownedUtxoCounter, ownedUtxoPageLoader } from './loaders.js';
import { resolveUtxoQuery, utxoQueryIdentity } from './query.js';
import { toUtxoNode } from './row.js';
import { utxoExists } from './store.js';

/** Registers Address.utxos and Utxo.owners. */
export function registerUtxoOwners(builder: Builder): void {
  builder.objectField('Utxo', 'owners', (t) =>
    t.field({
      type: ['Address'],
      description: 'Its owners as nodes of their own, in the order of `addresses`.',
      resolve: ({ network, addresses }) => addresses.map((address) => ({ network, address })),
    }),
  );

  builder.objectField('Address', 'utxos', (t) =>
    t.field({
      type: 'UtxoConnection',
      description:
        'Outputs of the address that were created on a chain or can be consumed there: the same list, with the same cursors, as the field utxos of the query.',
      args: {
        blockchainId: t.arg.string({
          required: true,
          description: 'p-chain, x-chain or c-chain, or the id of that blockchain on the network.',
        }),
        assetId: t.arg.string({ description: 'Only outputs of this asset. Heeded on the X-chain alone.' }),
        minUtxoAmount: t.arg({
          type: 'Decimal',
          description: "Only outputs of at least this amount in the asset's smallest unit. Default 0.",
        }),
        includeSpent: t.arg.boolean({ description: 'Whether spent outputs are listed too. Default false.' }),
        sortBy: t.arg({ type: 'UtxoSort', description: 'Default timestamp.' }),
        sortOrder: t.arg({ type: 'SortOrder', description: 'Default desc.' }),
        ...t.arg.connectionArgs(),
      },
      resolve: ({ network, address }, args, context) => {
        const [query, request] = checkBoth(
          () => resolveUtxoQuery({ ...args, network, addresses: [address] }),
          () => parsePageArguments(args, connectionLimits),
        );
        return readConnection({
          tokens: context.tokens,
          query: digestQuery('utxos', utxoQueryIdentity(query)),
          request,
          read: (request) => ownedUtxoPageLoader(context).load({ query, address, request }),
          exists: (id) => utxoExists(context.storage, id),
          count: () => ownedUtxoCounter(context)({ query, address }),
          toNode: toUtxoNode,
        });
      },
    }),
  );
}
