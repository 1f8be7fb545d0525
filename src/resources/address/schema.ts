import { parseAddress, AddressError } from '../../avalanche/address.js';
import { readAddresses, readPrimaryChain } from '../../avalanche/input.js';
import { parseNetwork, type Network } from '../../avalanche/networks.js';
import { checkBoth, badInput } from '../../errors.js';
import type { Builder } from '../../graphql/builder.js';
import { splitNetworkKey } from '../../graphql/global-id.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { readConnection, type ConnectionSource } from '../../graphql/connection.js';
import { connectionLimits, parsePageArguments } from '../../paging/page-request.js';
import { digestQuery } from '../../paging/token.js';
import { balanceCounter, balancePageLoader } from './loaders.js';
import { toBalanceNode, type AddressNode, type BalanceNode } from './row.js';
import { assetExists } from './store.js';

export interface AddressObjects {
  Address: AddressNode;
  AssetBalance: BalanceNode;
  AssetBalanceConnection: ConnectionSource;
}

/** Registers the type Address and the query field address. */
export function registerAddress(builder: Builder): void {
  registerType(builder);
  registerConnection(builder, 'AssetBalance', 'balances');
  registerBalances(builder);
  registerQuery(builder);
}

function registerType(builder: Builder): void {
  builder.node('Address', {
    description: 'An address of the primary network, known or not.',
    id: {
      description: 'Global id, made of the network and the address.',
      resolve: ({ network, address }) => `${network}:${address}`,
    },
    loadOne: (id: string) => {
      const parts = splitNetworkKey(id);
      return parts && parseOrNull(parts.network, parts.key);
    },
    fields: (t) => ({
      network: t.field({ type: 'Network', description: 'Its network.', resolve: ({ network }) => network }),
      address: t.exposeString('address', { description: 'The address, bech32 without chain prefix.' }),
    }),
  });

  builder.objectType('AssetBalance', {
    description: 'What an address has of an asset. An output with several owners counts in full for each.',
    fields: (t) => ({
      asset: t.field({ type: 'Asset', description: 'The asset.', resolve: ({ asset }) => asset }),
      unspent: t.expose('unspent', {
        type: 'BigNumber',
        description: "Sum of the unspent outputs, staked ones included, in the asset's smallest unit.",
      }),
      received: t.expose('received', {
        type: 'BigNumber',
        description: "Sum of all outputs, spent or not, in the asset's smallest unit.",
      }),
    }),
  });
}

function parseOrNull(network: Network, text: string): AddressNode | null {
  try {
    return { network, address: parseAddress(network, text) };
  } catch (error) {
    if (error instanceof AddressError) return null;
    throw error;
  }
}

function registerBalances(builder: Builder): void {
  builder.objectField('Address', 'balances', (t) =>
    t.field({
      type: 'AssetBalanceConnection',
      description: 'What the address has and had of each asset, by assetId.',
      args: {
        blockchainId: t.arg.string({
          description:
            'Only outputs that the list of this chain shows: p-chain, x-chain or c-chain, or a blockchain id. Not given: those of the whole network, each once.',
        }),
        ...t.arg.connectionArgs(),
      },
      resolve: ({ network, address }, args, context) => {
        const [chain, request] = checkBoth(
          () => (args.blockchainId ? readPrimaryChain('blockchainId', network, args.blockchainId) : null),
          () => parsePageArguments(args, connectionLimits),
        );
        const query = { network, address, chain };
        return readConnection({
          tokens: context.tokens,
          query: digestQuery('balances', [network, address, chain]),
          request,
          read: (request) => balancePageLoader(context).load({ ...query, request }),
          exists: (id) => assetExists(context.storage, id),
          count: () => balanceCounter(context)(query),
          toNode: toBalanceNode,
        });
      },
    }),
  );
}

function registerQuery(builder: Builder): void {
  builder.queryField('address', (t) =>
    t.field({
      type: 'Address',
      description:
        'An address of the primary network: its outputs and balances, empty for one that is not known.',
      args: {
        network: t.arg({ type: 'Network', required: true, description: 'Network of the address.' }),
        address: t.arg.string({
          required: true,
          description: 'The address, bech32, with or without a chain prefix.',
        }),
      },
      resolve: (_root, args) => {
        const network = parseNetwork(args.network) as Network;
        const [address] = readAddresses('address', network, [args.address]);
        if (!address) throw badInput('address: is empty; it is a bech32 address');
        return { network, address };
      },
    }),
  );
}
