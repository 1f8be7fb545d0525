import { MAX_ADDRESSES } from '../../avalanche/input.js';
import { argumentRefs, argumentsOf } from '../../graphql/arguments.js';
import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { exposeFields } from '../../graphql/fields.js';
import { splitNetworkKey } from '../../graphql/global-id.js';
import { addListField } from '../../graphql/list-field.js';
import type { CostExtension } from '../../graphql/limits/cost-extension.js';
import { loadRow } from '../../graphql/row-loader.js';
import { addRowField } from '../../graphql/row-field.js';
import { sqlOf, sqlOfType } from '../../graphql/sql-source.js';
import { registerChainBalances } from './balances-schema.js';
import { addressArguments, addressesArguments, balanceArguments } from './arguments.js';
import { addressSource, balanceFields, chainsSql, balancePartsFields, findAddress } from './fields.js';
import type { BalanceNode, BalancePartsNode } from './fields.js';
import { balanceList } from './list.js';
import { findChainsOfAddresses } from './store.js';
import { toAddressNode, type AddressNode } from './row.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    Address: AddressNode;
    AssetBalance: BalanceNode;
    BalanceParts: BalancePartsNode;
  }
}

export function registerAddress(builder: Builder): void {
  builder.node('Address', {
    description: 'An address of the primary network, whether or not anything is indexed for it.',
    extensions: sqlOfType(addressSource),
    id: {
      description: 'Global id, made of the network and the address.',
      resolve: ({ network, address }) => `${network}:${address}`,
    },
    loadOne: (id: string) => {
      const parts = splitNetworkKey(id);
      return parts && toAddressNode(parts.network, parts.key);
    },
    fields: (t) => ({
      network: t.expose('network', {
        type: 'Network',
        description: 'Its network.',
        extensions: sqlOf({ value: { form: 'plain', sql: addressSource.keys.network } }),
      }),
      address: t.exposeString('address', {
        description: 'The address, bech32 without chain prefix.',
        extensions: sqlOf({ value: { form: 'plain', sql: addressSource.keys.address } }),
      }),
      blockchainIds: t.field({
        type: ['String'],
        description:
          'Blockchain ids of the chains of the primary network that list outputs of the address, spent or not: of the P-, X- and C-chain in this order.',
        extensions: sqlOf({ value: { form: 'json', sql: chainsSql } }),
        resolve: async ({ network, address }, _args, context) =>
          (await loadRow(context, findChainsOfAddresses, { network, address })) ?? [],
      }),
    }),
  });

  builder.objectType('BalanceParts', {
    description:
      'Unspent outputs of an address, split by what can be done with them at a given time: five parts that add up to total. A lock has passed once its locktime is reached.',
    fields: (t) => exposeFields(t, balancePartsFields),
  });
  builder.objectType('AssetBalance', {
    description:
      'The balance of an address in one asset. An output with several owners counts in full for each.',
    extensions: sqlOfType({ keys: {} }),
    fields: (t) => exposeFields(t, balanceFields),
  });
  registerConnection(builder, 'AssetBalance', 'balances');
  addListField(builder, 'Address', 'balances', {
    type: 'AssetBalanceConnection',
    description:
      'The balances of the address, one row for each asset that it ever received: what it received, what of that is unspent, and what can be spent. Assets are in the order in which this gateway first indexed them. Balances are always those of now; `locksAt` only decides which locks have passed.',
    list: balanceList,
    arguments: balanceArguments,
    present: 'at',
    of: { network: ({ network }) => network, address: ({ address }) => address },
  });
  registerChainBalances(builder);
  addRowField(builder, 'Query', 'address', {
    type: 'Address',
    isAlways: true,
    description:
      'One address of the primary network, with its outputs and balances; both are empty for an unknown address.',
    find: { ...findAddress, load: (_context, address: AddressNode) => address },
    arguments: addressArguments,
  });
  builder.queryField('addresses', (t) =>
    t.field({
      type: ['Address'],
      description:
        'Addresses of the primary network, sorted, each once, whether or not anything is indexed for them.',
      args: argumentRefs(t, addressesArguments),
      extensions: { times: MAX_ADDRESSES } satisfies CostExtension,
      resolve: (_root, args, context) => {
        const { network, addresses } = argumentsOf(addressesArguments, args, context);
        return addresses.map((address) => ({ network, address }));
      },
    }),
  );
}
