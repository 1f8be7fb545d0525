import { parseEvmAddress, type EvmChainName } from '../../avalanche/evm.js';
import type { Builder } from '../../graphql/builder.js';
import type { Context } from '../../graphql/context.js';
import { addListField } from '../../graphql/list-field.js';
import { addRowField, type Loader } from '../../graphql/row-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { sqlOf, sqlOfType, type SelectSource } from '../../graphql/sql-source.js';
import { findChains, storedChain, keyOfChain } from '../chain/list.js';
import { chainOfEitherName } from '../chain/loaders.js';
import type { ChainNode } from '../chain/fields.js';
import { evmAddressArguments, internalTxListArguments } from './arguments.js';
import { internalTxList } from './list.js';

/** An address on a stored chain. */
export interface EvmAddressNode {
  chain: ChainNode;
  /** Decimal. */
  evmChainId: string;
  /** With the checksum of EIP-55. */
  address: string;
}

/** An address on a chain, which is found by another key. */
export const addressOn = <Name extends object>(
  chain: Loader<Name, ChainNode> & SelectSource,
): Loader<Name & { address: string }, EvmAddressNode> => ({
  as: 'e',
  types: { ...chain.types, address: 'text' },
  select: (value) => `
    SELECT c.id, c.evm_chain_id, ${value('address')} AS address FROM (${chain.select(value)}) c`,
  async load(context, { address, ...name }) {
    const found = await chain.load(context, name as unknown as Name);
    return found && toEvmAddressNode(found, address);
  },
});

/** An address on a stored chain, which has one of the names. */
export const evmAddressOf = addressOn(chainOfEitherName);

/** The keys of the address's lists. */
const evmAddressSource = {
  keys: { rowId: 'e.id', evmChainId: 'e.evm_chain_id::text', address: 'e.address' },
  id: `e.evm_chain_id || ':' || e.address`,
};

export function registerEvmAddress(builder: Builder): void {
  builder.node('EvmAddress', {
    description: 'An address on an EVM chain, whether or not anything is indexed for it.',
    extensions: sqlOfType(evmAddressSource),
    id: {
      description: 'Global id, made of the EVM chain id and the address.',
      resolve: ({ evmChainId, address }) => `${evmChainId}:${address}`,
    },
    loadOne: (id: string, context) => {
      const [evmChainId = '', text = ''] = id.split(':');
      const address = parseEvmAddress(text);
      return address && /^\d{1,78}$/.test(evmChainId)
        ? evmAddressOf.load(context, { evmChainId, address })
        : null;
    },
    fields: (t) => ({
      address: t.exposeString('address', {
        description: 'The address, hex with the mixed case of EIP-55.',
        extensions: sqlOf({ value: { form: 'plain', sql: evmAddressSource.keys.address } }),
      }),
      chain: t.field({
        type: 'Chain',
        description: 'The chain.',
        extensions: sqlOf({
          row: { find: storedChain, of: ({ rowId }: typeof evmAddressSource.keys) => ({ rowId }) },
        }),
        resolve: ({ chain }) => chain,
      }),
    }),
  });
  addListField(builder, 'EvmAddress', 'internalTransactions', {
    type: 'InternalTransactionConnection',
    description:
      'Internal transactions of the address: what contracts sent to it, and what it sent or created. Newest block first, then by txHash and position, all descending.',
    list: internalTxList,
    arguments: internalTxListArguments,
    of: { evmChainId: ({ evmChainId }) => evmChainId, address: ({ address }) => address },
  });
  addRowField(builder, 'Query', 'evmAddress', {
    type: 'EvmAddress',
    description: 'An address on an EVM chain; null when the chain is not indexed.',
    find: evmAddressOf,
    arguments: evmAddressArguments,
    keyOf: ({ chainId, address }) => ({ ...keyOfChain(chainId), address }),
  });
}

/** The addresses on the chain; null if the chain is not stored. */
export async function loadEvmAddresses(
  context: Context,
  chainName: EvmChainName,
  addresses: readonly string[],
): Promise<EvmAddressNode[] | null> {
  const chain = await loadRow(context, findChains, chainName);
  return chain && addresses.map((address) => toEvmAddressNode(chain, address));
}

function toEvmAddressNode(chain: ChainNode, address: string): EvmAddressNode {
  return { chain, evmChainId: chain.chainId, address };
}
