import { narrowing, optional } from '../../arguments/argument.js';
import type { Argument, ArgumentValues, Narrowing } from '../../arguments/argument.js';
import { choiceArgument, idArgument, momentArgument, networkArgument } from '../../arguments/common.js';
import { percentArgument } from '../../arguments/percent.js';
import { digitsArgument, secondsSchema, wholeArgument } from '../../arguments/whole.js';
import { readNodeId } from '../../avalanche/input.js';
import { LAST_SECOND } from '../../avalanche/seconds.js';
import { NODE_ID, only } from '../../avalanche/patterns.js';
import { badInput, quote } from '../../errors.js';
import { addressesArgument } from '../address/arguments.js';
import { nodeIdArgument } from '../validator/arguments.js';
import { typeArguments } from '../transaction/arguments.js';
import { delegationStatuses, validationStatuses } from './fields.js';

/** Most node ids, or parts of them, in one query. */
const MOST_NODES = 64;
const NODE_ID_PART = '[0-9A-Za-z-]{1,40}';

/** Several texts; may be omitted. */
function textsArgument(
  description: string,
  form: string,
  read: (name: string, text: string) => string,
): Argument<string[] | null> {
  return optional({
    type: ['String'],
    description: `${description} At most ${MOST_NODES}. An empty list matches nothing.`,
    note: 'Comma-separated.',
    schema: { type: 'string', pattern: `^${form}(?:,${form}){0,${MOST_NODES - 1}}$` },
    read: (name, value) => {
      const texts = [...new Set(value as string[])];
      if (texts.length > MOST_NODES)
        throw badInput(`${name}: has ${texts.length} items; at most ${MOST_NODES} are allowed`);
      return texts.map((each) => read(name, each)).sort();
    },
  });
}

const remainingArgument = (description: string) =>
  wholeArgument(description, secondsSchema, (name, seconds) => {
    if (seconds <= LAST_SECOND) return seconds.toString();
    throw badInput(`${name}: ${quote(seconds.toString())} is more than ${LAST_SECOND} seconds`);
  });

const network = networkArgument('Network of the stakes.');
const sortOrder = choiceArgument('SortOrder', ['asc', 'desc'], 'Direction of the sort.', 'desc');
const rewardAddresses = addressesArgument(
  'Only stakes whose reward any of these addresses is paid. At most 64 addresses.',
);

export const validatorStakeSorts = [
  'blockIndex',
  'delegationCapacity',
  'timeRemaining',
  'delegationFee',
  'uptimePerformance',
] as const;

const ofPresent = 'Stakes that have ended match none.';

/** The arguments of the stakes of validators that the published list has. */
export const publishedStakeArguments = {
  network,
  ...narrowing({
    subnetId: optional(idArgument('Only stakes in this subnet, CB58. If omitted, in all.')),
    nodeIds: textsArgument(
      'Only nodes whose id contains any of these texts, in upper or lower case.',
      NODE_ID_PART,
      (name, text) => {
        if (new RegExp(only(NODE_ID_PART)).test(text)) return text;
        throw badInput(
          `${name}: ${quote(text)} is no part of a node id: 1 to 40 letters, digits and hyphens`,
        );
      },
    ),
    validationStatus: optional(
      choiceArgument(
        'ValidationStatus',
        validationStatuses,
        'Only stakes with this status. If omitted, all.',
      ),
    ),
    minDelegationCapacity: digitsArgument(
      `Only validators to which at least this much can still be delegated, nAVAX. ${ofPresent}`,
    ),
    maxDelegationCapacity: digitsArgument(
      `Only validators to which at most this much can still be delegated, nAVAX. ${ofPresent}`,
    ),
    minTimeRemaining: remainingArgument(
      `Only stakes that end in at least so many seconds after the newest stored block. ${ofPresent}`,
    ),
    maxTimeRemaining: remainingArgument(
      `Only stakes that end in at most so many seconds after the newest stored block. ${ofPresent}`,
    ),
    minFeePercentage: percentArgument(
      "Only validators that keep at least this share of their delegators' rewards, percent; none of a permissioned subnet.",
    ),
    maxFeePercentage: percentArgument(
      "Only validators that keep at most this share of their delegators' rewards, percent; none of a permissioned subnet.",
    ),
    minUptimePerformance: percentArgument(
      `Only validators that the followed node has seen online at least this share of their period, percent; unknown counts as 0. ${ofPresent}`,
    ),
    maxUptimePerformance: percentArgument(
      `Only validators that the followed node has seen online at most this share of their period, percent; unknown counts as 0. ${ofPresent}`,
    ),
  }),
  sortBy: choiceArgument(
    'ValidatorStakeSort',
    validatorStakeSorts,
    'What the list is sorted by; ties by txHash in the same direction. Other than by blockIndex, only stakes that have not ended are listed.',
    'blockIndex',
  ),
  sortOrder,
};

export const validatorStakeArguments = {
  ...publishedStakeArguments,
  ...narrowing({ nodeId: optional(nodeIdArgument) }),
};

/** The arguments of the stakes of delegators. */
export const delegatorStakeArguments = {
  network,
  ...narrowing({
    rewardAddresses,
    nodeIds: textsArgument('Only delegations to any of these nodes, NodeID-….', NODE_ID, readNodeId),
    delegationStatus: optional(
      choiceArgument(
        'DelegationStatus',
        delegationStatuses,
        'Only delegations with this status. If omitted, all.',
      ),
    ),
  }),
  sortOrder,
};

/** The arguments of the transactions that began the stakes of now. */
export const stakingTransactionArguments = {
  network,
  ...narrowing({
    addresses: addressesArgument(
      'Only transactions that consumed or emitted an output of any of these addresses. At most 64 addresses.',
    ),
    txTypes: typeArguments.txTypes,
    since: momentArgument('Only transactions of blocks made at this time or later, Unix seconds.'),
    until: momentArgument('Only transactions of blocks made before this time, Unix seconds.'),
  }),
  sortOrder,
};

export type StakingTransactionQuery = ArgumentValues<typeof stakingTransactionArguments>;
export type StakingTransactionNarrowing = Narrowing<typeof stakingTransactionArguments>;
export type ValidatorStakeQuery = ArgumentValues<typeof validatorStakeArguments>;
export type ValidatorStakeNarrowing = Narrowing<typeof validatorStakeArguments>;
export type DelegatorStakeQuery = ArgumentValues<typeof delegatorStakeArguments>;
export type DelegatorStakeNarrowing = Narrowing<typeof delegatorStakeArguments>;
