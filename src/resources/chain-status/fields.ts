import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { blockHash, boolean, digits, is, texts, whole } from '../../fields/field.js';
import type { Details, NodeOf } from '../../fields/field.js';

/** How far a chain of the primary network is stored. */
export const chainStatusFields = {
  blockNumber: is(
    digits,
    'Number of its newest stored block',
    'where none of its stored blocks has a known number, for example on the X-chain before it had blocks',
  ),
  blockHash: is(blockHash, 'Hash of that block, CB58, on the C-chain hex with 0x', 'where unknown'),
  blockTimestamp: is(whole, 'When that block was made, Unix seconds', 'where unknown'),
  isFollowed: is(boolean, 'Whether the blocks of the chain are read from a node'),
  headNumber: is(
    digits,
    'Number of the newest block that the node has shown',
    'where the chain is not followed, or no node has answered yet',
  ),
  blocksBehind: is(
    digits,
    'Number of blocks that the node has and that are not stored yet, 0 when all are stored',
    'where headNumber is null',
  ),
  blocksWithGaps: is(
    digits,
    'Number of stored blocks of which every node refuses something, such as the trace of a transaction: it is missing, and asked for again. On the C-chain of its internal transactions and balances; 0 when nothing is missing, 1000 for 1000 or more',
    'where the chain is not followed',
  ),
  refusedRows: is(
    digits,
    'Number of rows of the chain that could not be stored as they are, since it is followed: they are stored in part or left out. 0 when there are none, as there should be. On the C-chain of all that is followed of it',
    'where the chain is not followed',
  ),
  leftOut: is(
    texts,
    'What of the chain is not followed, because no node offers it, as sentences that say why, and with which command it is filled later. At most five, on the C-chain of all that can be followed of it; empty when nothing is left out, or no follower has decided it',
  ),
  waitingTimestamp: is(
    whole,
    'Since when a follower has waited for its node, which it has not met since its start, Unix seconds. While it does not know the network of its node, this is said of the chains of both',
    'where no follower waits so',
  ),
  currentTimestamp: is(
    whole,
    "Time at which all of the node's blocks were last stored, Unix seconds",
    'where the chain is not followed, or its blocks were never all stored',
  ),
} satisfies Details;

export type ChainStatusNode = NodeOf<typeof chainStatusFields> & { network: Network; chain: PrimaryChain };
