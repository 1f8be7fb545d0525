import type { ArgumentValues } from '../../arguments/argument.js';
import type { LiveList } from '../../live/live-list.js';
import { blockListArguments } from './arguments.js';
import type { BlockNode } from './fields.js';
import { findBlocks } from './list.js';

const { network, blockchainId, proposer } = blockListArguments;

/** The arguments of the stream, among those of the list. */
export const liveArguments = { network, blockchainId, proposer };

/** Blocks that were stored first. */
export const liveBlocks: LiveList<ArgumentValues<typeof liveArguments>, BlockNode> = {
  name: 'blocks',
  kinds: ['block'],
  read: async (storage, { network, chain, keys }) =>
    network && chain
      ? findBlocks(
          storage,
          keys.map((blockNumber) => ({ network, chain, blockNumber })),
        )
      : [],
  matches: {
    network: (value, node) => node.network === value,
    blockchainId: (value, node) => node.chain === value,
    proposer: (value, node) => node.proposerNodeId === value,
  },
};
