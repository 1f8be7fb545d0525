import type { ArgumentValues } from '../../arguments/argument.js';
import { parseBlockchainId } from '../../avalanche/identity.js';
import type { LiveList } from '../../live/live-list.js';
import { utxoListArguments } from './arguments.js';
import type { UtxoNode } from './fields.js';
import { findUtxos } from './list.js';

const { network, blockchainId, addresses, assetId, minUtxoAmount } = utxoListArguments;

/** The arguments of the stream, among those of the list. */
export const liveArguments = { network, blockchainId, addresses, assetId, minUtxoAmount };

/** Outputs that were stored first, and those that were spent. */
export const liveUtxos: LiveList<ArgumentValues<typeof liveArguments>, UtxoNode> = {
  name: 'utxos',
  kinds: ['utxo', 'spent_utxo'],
  read: async (storage, { network, keys }) =>
    network
      ? findUtxos(
          storage,
          keys.map((utxoId) => ({ network, utxoId })),
        )
      : [],
  matches: {
    network: (value, node) => node.network === value,
    blockchainId: (value, { network, createdOnChainId, consumedOnChainId }) =>
      [createdOnChainId, consumedOnChainId].some((id) => parseBlockchainId(network, id) === value),
    addresses: (value, node) => value.some((address) => node.addresses.includes(address)),
    assetId: (value, node) => node.assetId === value,
    minUtxoAmount: (value, node) => BigInt(node.amount) >= value,
  },
  byAddress: { argument: 'addresses', of: ({ addresses }) => addresses },
};
