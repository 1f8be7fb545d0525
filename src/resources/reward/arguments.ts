import { narrowing, type ArgumentValues, type Argument, type Narrowing } from '../../arguments/argument.js';
import { choiceArgument, networkArgument } from '../../arguments/common.js';
import { MAX_ADDRESSES, readNodeId } from '../../avalanche/input.js';
import { NODE_ID } from '../../avalanche/patterns.js';
import { badInput } from '../../errors.js';
import { addressesArgument } from '../address/arguments.js';

// Declare it after `addresses`.
const nodeIds: Argument<string[] | null> = {
  type: ['String'],
  description: `Only rewards of stakes with any of these nodes, at most ${MAX_ADDRESSES}. addresses or nodeIds has to be given; of both, both hold. An empty list matches nothing.`,
  note: 'Comma-separated.',
  schema: { type: 'string', pattern: `^${NODE_ID}(?:,${NODE_ID})*$` },
  optional: true,
  read: (name, value, { addresses }) => {
    if (value === undefined || value === null) {
      if (addresses === null) throw badInput(`${name}: is missing; give addresses, nodeIds or both`);
      return null;
    }
    const given = new Set((value as unknown[]).map((each) => readNodeId(name, String(each))));
    if (given.size > MAX_ADDRESSES)
      throw badInput(`${name}: ${given.size} are too many; at most ${MAX_ADDRESSES} in one request`);
    return [...given].sort();
  },
};

/** What lists of rewards are asked for. */
export const rewardArguments = {
  network: networkArgument('Network of the P-chain.'),
  ...narrowing({
    addresses: addressesArgument(
      'Only rewards of which any of these addresses is paid, each once; at most 64, with or without a chain prefix.',
    ),
    nodeIds,
  }),
  sortOrder: choiceArgument('SortOrder', ['asc', 'desc'], 'Direction of the order by time.', 'desc'),
};

export type RewardNarrowing = Narrowing<typeof rewardArguments>;
export type RewardQuery = ArgumentValues<typeof rewardArguments>;
