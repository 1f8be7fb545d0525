import { optional, type Argument, type ArgumentValues } from '../../arguments/argument.js';
import { blockchainArgument, networkArgument } from '../../arguments/common.js';
import { readId } from '../../avalanche/input.js';
import { DIGITS, GIVEN_EVM_HASH, ID, only } from '../../avalanche/patterns.js';
import { badInput } from '../../errors.js';

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

export const blockArguments = {
  network: networkArgument('Network of the chain.'),
  blockchainId: blockchainArgument(
    ['p', 'x', 'c'],
    'p-chain, x-chain or c-chain, or the id of that blockchain on the network.',
    {},
  ),
  number,
  hash,
};

/** A block: its number or its hash is null. */
export type BlockQuery = ArgumentValues<typeof blockArguments>;
