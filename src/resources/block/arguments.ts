import { narrowing, optional } from '../../arguments/argument.js';
import type { Argument, ArgumentValues, Narrowing } from '../../arguments/argument.js';
import {
  blockchainArgument,
  blockNumberSchema,
  momentArgument,
  networkArgument,
  readBlockNumber,
} from '../../arguments/common.js';
import { readId, readNodeId } from '../../avalanche/input.js';
import { DIGITS, GIVEN_EVM_HASH, ID, NODE_ID, only } from '../../avalanche/patterns.js';
import { badInput } from '../../errors.js';

/** The arguments of a chain. */
export const chainOfBlocks = {
  network: networkArgument('Network of the chain.'),
  blockchainId: blockchainArgument(
    ['p', 'x', 'c'],
    'p-chain, x-chain or c-chain, or the id of that blockchain on the network.',
    {},
  ),
};

const number: Argument<string | null> = optional({
  type: 'BigNumber',
  description: 'Number of the block on its chain; cannot be combined with hash.',
  schema: { type: 'string', pattern: only(DIGITS) },
  read: (_name, value) => String(value),
});

/** Declare it after `number`. */
const hash: Argument<string | null> = {
  type: 'String',
  optional: true,
  description: 'Hash of the block, CB58, on the C-chain hex with 0x; use it instead of number.',
  schema: { type: 'string', pattern: only(ID, GIVEN_EVM_HASH) },
  read: (name, value, { number }) => {
    // An empty one means none, like an empty number.
    const text = (value as string | null | undefined) || null;
    // Undefined is a wrong number, which is reported by itself.
    if (number !== undefined && (text === null) === (number === null))
      throw badInput('number and hash: give exactly one of them');
    if (text === null) return null;
    return /^0x[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : readId(name, text);
  },
};

/** The arguments of a block. */
export const blockArguments = { ...chainOfBlocks, number, hash };

/** A block: its number or its hash is null. */
export type BlockQuery = ArgumentValues<typeof blockArguments>;

/** A bound of a range of blocks, as decimal digits. */
function boundArgument(description: string): Argument<string | null> {
  return optional({
    type: 'Decimal',
    description,
    schema: blockNumberSchema,
    read: (name, value) => readBlockNumber(name, value).toString(),
  });
}

/** The arguments of a list of blocks. */
export const blockListArguments = {
  ...chainOfBlocks,
  ...narrowing({
    proposer: optional<string>({
      type: 'String',
      description:
        'Only blocks that this node proposed, NodeID-…; blocks whose proposer is unknown match none.',
      schema: { type: 'string', pattern: only(NODE_ID) },
      read: (name, value) => readNodeId(name, String(value)),
    }),
    startBlock: boundArgument('Only blocks from this number on.'),
    endBlock: boundArgument('Only blocks before this number. If omitted, up to the newest block.'),
    since: momentArgument('Only blocks made at this time or later, Unix seconds.'),
    until: momentArgument('Only blocks made before this time, Unix seconds.'),
  }),
};

export type BlockNarrowing = Narrowing<typeof blockListArguments>;
export type BlockListQuery = ArgumentValues<typeof blockListArguments>;
