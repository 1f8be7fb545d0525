import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { exposeFields } from '../../graphql/fields.js';
import { addListField } from '../../graphql/list-field.js';
import { addRowField } from '../../graphql/row-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { sqlOfType } from '../../graphql/sql-source.js';
import { chainArguments, chainListArguments } from './arguments.js';
import { networkTokenFields, type ChainFeature, type NetworkTokenNode } from './columns.js';
import { blockchainId, chainFields, chainSource, type ChainNode } from './fields.js';
import { chainList, findChains } from './list.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    Chain: ChainNode;
    NetworkToken: NetworkTokenNode;
  }
  interface LeafTypes {
    ChainStatus: Leaf<ChainNode['status']>;
    VmName: Leaf<ChainNode['vmName']>;
    ChainFeature: Leaf<ChainFeature>;
  }
}

export function registerChain(builder: Builder): void {
  builder.enumType('ChainStatus', {
    description: 'Whether a chain produces blocks.',
    values: {
      OK: { description: 'It produces blocks.' },
      UNAVAILABLE: { description: 'It produces no blocks.' },
    },
  });
  builder.enumType('VmName', {
    description: 'The kind of virtual machine that a chain runs.',
    values: {
      EVM: { description: 'An Ethereum virtual machine of the Avalanche family.' },
      BITCOIN: { description: 'Bitcoin.' },
      ETHEREUM: { description: 'Ethereum itself.' },
    },
  });
  builder.enumType('ChainFeature', {
    description: 'A feature available for a chain in addition to its data.',
    values: {
      nftIndexing: { description: 'Metadata of NFTs.' },
      webhooks: { description: 'Webhooks.' },
      teleporter: { description: 'Interchain messages.' },
    },
  });
  builder.objectType('NetworkToken', {
    description: 'The token in which a chain charges gas.',
    fields: (t) => exposeFields(t, networkTokenFields),
  });
  builder.node('Chain', {
    description: 'An EVM chain.',
    extensions: sqlOfType(chainSource),
    id: { description: 'Global id, made of the EVM chain id.', resolve: (chain) => chain.chainId },
    loadOne: (id: string, context) =>
      /^\d{1,78}$/.test(id) ? loadRow(context, findChains, { evmChainId: id }) : null,
    fields: (t) => ({
      ...exposeFields(t, { ...chainFields, ...blockchainId }),
      json: t.field({
        type: 'JsonText',
        description: 'The row as JSON text.',
        resolve: (chain) => chain.text,
      }),
    }),
  });
  registerConnection(builder, 'Chain', 'chains');
  addRowField(builder, 'Query', 'chain', {
    type: 'Chain',
    description: 'One EVM chain; null when it is not indexed.',
    find: findChains,
    arguments: chainArguments,
    keyOf: ({ chainId }) => chainId,
  });

  addListField(builder, 'Query', 'chains', {
    type: 'ChainConnection',
    description: 'EVM chains, by ascending EVM chain id.',
    list: chainList,
    arguments: chainListArguments,
  });
}
