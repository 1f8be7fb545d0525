import { parseEvmAddress, readEvmAddress, readEvmChain, type EvmChainName } from '../../avalanche/evm.js';
import { checkBoth, Problems } from '../../errors.js';
import type { Builder } from '../../graphql/builder.js';
import { readConnection } from '../../graphql/connection.js';
import type { Context } from '../../graphql/context.js';
import { connectionLimits, parsePageArguments } from '../../paging/page-request.js';
import { digestQuery } from '../../paging/token.js';
import { chainLoader } from '../chain/loaders.js';
import type { ChainNode } from '../chain/row.js';
import { internalTxCounter, internalTxPageLoader } from './loaders.js';
import { readBlockRange } from './query.js';
import { toInternalTxNode } from './row.js';
import { internalTxExists } from './store.js';

/** An address on a chain that is held. */
export interface EvmAddressNode {
  chain: ChainNode;
  /** With the checksum of EIP-55. */
  address: string;
}

/** Registers the type EvmAddress and the query field evmAddress. */
export function registerEvmAddress(builder: Builder): void {
  registerType(builder);
  registerInternalTransactions(builder);
  builder.queryField('evmAddress', (t) =>
    t.field({
      type: 'EvmAddress',
      nullable: true,
      description: 'An address on an EVM chain; null when the chain is not held.',
      args: {
        chainId: t.arg.string({
          required: true,
          description: 'EVM chain id (decimal) or blockchain id (CB58).',
        }),
        address: t.arg.string({ required: true, description: 'Address, hex with 0x, in any case.' }),
      },
      resolve: (_root, args, context) => {
        const problems = new Problems();
        const chain = problems.check(() => readEvmChain('chainId', args.chainId));
        const address = problems.check(() => readEvmAddress('address', args.address));
        problems.throwIfAny();
        return loadEvmAddress(context, chain as EvmChainName, address as string);
      },
    }),
  );
}

/** The address on the chain; null when the chain is not held. */
export async function loadEvmAddress(
  context: Context,
  chainName: EvmChainName,
  address: string,
): Promise<EvmAddressNode | null> {
  const chain = await chainLoader(context).load(chainName);
  return chain && { chain, address };
}

function registerType(builder: Builder): void {
  builder.node('EvmAddress', {
    description: 'An address on an EVM chain, known there or not.',
    id: {
      description: 'Global id, made of the EVM chain id and the address.',
      resolve: ({ chain, address }) => `${chain.chainId}:${address}`,
    },
    loadOne: (id: string, context) => {
      const [evmChainId = '', text = ''] = id.split(':');
      const address = parseEvmAddress(text);
      return address && /^\d{1,78}$/.test(evmChainId)
        ? loadEvmAddress(context, { evmChainId }, address)
        : null;
    },
    fields: (t) => ({
      address: t.exposeString('address', { description: 'The address, hex with the mixed case of EIP-55.' }),
      chain: t.field({ type: 'Chain', description: 'The chain.', resolve: ({ chain }) => chain }),
    }),
  });
}

function registerInternalTransactions(builder: Builder): void {
  builder.objectField('EvmAddress', 'internalTransactions', (t) =>
    t.field({
      type: 'InternalTransactionConnection',
      description:
        'What contracts sent to the address and what it sent or created, newest block first, then by txHash and position, all descending.',
      args: {
        startBlock: t.arg({ type: 'Decimal', description: 'Only from this block on. Default 0.' }),
        endBlock: t.arg({
          type: 'Decimal',
          description: 'Only before this block. Not given: to the newest.',
        }),
        ...t.arg.connectionArgs(),
      },
      resolve: ({ chain, address }, args, context) => {
        const [blocks, request] = checkBoth(
          () => readBlockRange(args),
          () => parsePageArguments(args, connectionLimits),
        );
        const query = { evmChainId: chain.chainId, address, ...blocks };
        return readConnection({
          tokens: context.tokens,
          query: digestQuery('internalTransactions', Object.values(query)),
          request,
          read: (request) => internalTxPageLoader(context).load({ ...query, request }),
          exists: (id) => internalTxExists(context.storage, id),
          count: () => internalTxCounter(context)(query),
          toNode: toInternalTxNode,
        });
      },
    }),
  );
}
