import { readEvmChain } from '../../avalanche/evm.js';
import { parseNetwork } from '../../avalanche/networks.js';
import type { Builder, Leaf } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { readConnection, type ConnectionSource } from '../../graphql/connection.js';
import { countList } from '../../graphql/counting.js';
import { connectionLimits, parsePageArguments } from '../../paging/page-request.js';
import { digestQuery } from '../../paging/token.js';
import { chainLoader } from './loaders.js';
import {
  toChainNode,
  type ChainFeature,
  type ChainNode,
  type ChainStatus,
  type NetworkTokenNode,
  type VmName,
} from './row.js';
import { chainExists, countChains, listChains } from './store.js';

export interface ChainObjects {
  Chain: ChainNode;
  ChainConnection: ConnectionSource;
  NetworkToken: NetworkTokenNode;
}

export type ChainEnums = {
  ChainStatus: Leaf<ChainStatus>;
  VmName: Leaf<VmName>;
  ChainFeature: Leaf<ChainFeature>;
};

/** Registers the type Chain and the query fields chain and chains. */
export function registerChain(builder: Builder): void {
  registerParts(builder);
  registerType(builder);
  registerConnection(builder, 'Chain', 'chains');
  registerQueries(builder);
}

function registerParts(builder: Builder): void {
  builder.enumType('ChainStatus', {
    description: 'Whether a chain works.',
    values: {
      OK: { description: 'It makes blocks.' },
      UNAVAILABLE: { description: 'It does not.' },
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
    description: 'What is offered for a chain beside its data.',
    values: {
      nftIndexing: { description: 'Metadata of NFTs.' },
      webhooks: { description: 'Webhooks.' },
      teleporter: { description: 'Interchain messages.' },
    },
  });
  builder.objectType('NetworkToken', {
    description: 'The token in which a chain charges gas.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'Full name.' }),
      symbol: t.exposeString('symbol', { description: 'Short name.' }),
      decimals: t.exposeInt('decimals', {
        description: 'How many decimal digits the smallest unit is below one token.',
      }),
      logoUri: t.exposeString('logoUri', { nullable: true, description: 'Picture; null where unknown.' }),
      description: t.exposeString('description', {
        nullable: true,
        description: 'What the token is; null where unknown.',
      }),
    }),
  });
}

function registerType(builder: Builder): void {
  const text = (description: string) => ({
    nullable: true as const,
    description: `${description}; null where unknown.`,
  });
  builder.node('Chain', {
    description: 'An EVM chain.',
    id: { description: 'Global id, made of the EVM chain id.', resolve: (chain) => chain.chainId },
    loadOne: (id: string, context) =>
      /^\d{1,78}$/.test(id) ? chainLoader(context).load({ evmChainId: id }) : null,
    fields: (t) => ({
      chainId: t.exposeString('chainId', { description: 'EVM chain id, decimal.' }),
      blockchainId: t.exposeString('blockchainId', text('Blockchain id, CB58')),
      status: t.field({
        type: 'ChainStatus',
        description: 'Whether it works.',
        resolve: (chain) => chain.status,
      }),
      chainName: t.exposeString('chainName', { description: 'Name.' }),
      description: t.exposeString('description', { description: 'What the chain is; may be empty.' }),
      platformChainId: t.exposeString('platformChainId', text('Id of the blockchain on the P-chain, CB58')),
      subnetId: t.exposeString('subnetId', text('Id of the subnet whose validators run it, CB58')),
      vmId: t.exposeString('vmId', text('Id of its virtual machine, CB58')),
      vmName: t.field({
        type: 'VmName',
        description: 'The kind of its virtual machine.',
        resolve: (chain) => chain.vmName,
      }),
      explorerUrl: t.exposeString('explorerUrl', text('Address of an explorer')),
      rpcUrl: t.exposeString('rpcUrl', { description: 'Public JSON-RPC address.' }),
      wsUrl: t.exposeString('wsUrl', text('Public WebSocket address')),
      isTestnet: t.exposeBoolean('isTestnet', { description: 'Whether it belongs to the test network.' }),
      networkToken: t.field({
        type: 'NetworkToken',
        description: 'The token in which it charges gas.',
        resolve: (chain) => chain.networkToken,
      }),
      chainLogoUri: t.exposeString('chainLogoUri', text('Picture')),
      private: t.exposeBoolean('private', text('Whether only some may use it')),
      enabledFeatures: t.field({
        type: ['ChainFeature'],
        description: 'What is offered for it beside its data.',
        resolve: (chain) => chain.enabledFeatures ?? [],
      }),
      json: t.field({
        type: 'JsonText',
        description: 'The row as JSON text.',
        resolve: (chain) => chain.text,
      }),
    }),
  });
}

function registerQueries(builder: Builder): void {
  builder.queryField('chain', (t) =>
    t.field({
      type: 'Chain',
      nullable: true,
      description: 'One EVM chain; null when it is not held.',
      args: {
        chainId: t.arg.string({
          required: true,
          description: 'EVM chain id (decimal) or blockchain id (CB58).',
        }),
      },
      resolve: (_root, { chainId }, context) => chainLoader(context).load(readEvmChain('chainId', chainId)),
    }),
  );

  builder.queryField('chains', (t) =>
    t.field({
      type: 'ChainConnection',
      description: 'EVM chains by rising EVM chain id.',
      args: {
        network: t.arg({ type: 'Network', description: 'Only chains of this network. Not given: all.' }),
        feature: t.arg({
          type: 'ChainFeature',
          description: 'Only chains with this feature. Not given: all.',
        }),
        ...t.arg.connectionArgs(),
      },
      resolve: (_root, args, context) => {
        const { storage, tokens, trusted } = context;
        const query = {
          isTestnet: args.network ? parseNetwork(args.network) === 'fuji' : null,
          feature: args.feature ?? null,
        };
        return readConnection({
          tokens,
          query: digestQuery('chains', [query.isTestnet, query.feature]),
          request: parsePageArguments(args, connectionLimits, trusted),
          read: (request) => listChains(storage, query, request),
          exists: (id) => chainExists(storage, id),
          count: () => countList(context, (most) => countChains(storage, query, most)),
          toNode: toChainNode,
        });
      },
    }),
  );
}
