import { defineFind } from '../../lists/find.js';
import type { LiveList } from '../../live/live-list.js';
import { internalTxRows, type InternalTxNode } from './fields.js';

/** The internal transactions of a stream. */
export interface LiveQuery {
  /** Decimal digits. */
  evmChainId: string;
  /** With the checksum of EIP-55. */
  addresses: readonly string[] | null;
  txHash: string | null;
}

interface FrameId {
  evmChainId: string;
  blockNumber: string;
  rowId: string;
}

// The block names the partition.
const findFrames = defineFind<FrameId, InternalTxNode>('internal_txs_by_id', internalTxRows, {
  evmChainId: ['bigint', 'i.evm_chain_id'],
  blockNumber: ['bigint', 'i.block_number'],
  rowId: ['bigint', 'i.id'],
});

/** Internal transactions that were stored first. */
export const liveFrames: LiveList<LiveQuery, InternalTxNode> = {
  name: 'internalTransactions',
  kinds: ['internal_tx'],
  read: async (storage, { evmChainId, keys }) =>
    evmChainId === null
      ? []
      : findFrames(
          storage,
          keys.map((key) => {
            const [blockNumber = '', rowId = ''] = key.split(':');
            return { evmChainId, blockNumber, rowId };
          }),
        ),
  matches: {
    evmChainId: (value, frame) => frame.evmChainId === value,
    addresses: (value, { from, to }) => value.includes(from.address) || value.includes(to.address),
    txHash: (value, frame) => frame.txHash === value,
  },
  byAddress: { argument: 'addresses', of: ({ from, to }) => [from.address, to.address] },
};
