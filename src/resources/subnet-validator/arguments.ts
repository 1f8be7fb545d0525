import { narrowing, optional } from '../../arguments/argument.js';
import type { ArgumentValues, Narrowing } from '../../arguments/argument.js';
import {
  choiceArgument,
  idArgument,
  leastArgument,
  momentArgument,
  networkArgument,
  nodeIdContains,
} from '../../arguments/common.js';
import { percentArgument } from '../../arguments/percent.js';
import { ZERO_ID } from '../../avalanche/codec/ids.js';

export const validatorSorts = ['weight', 'endTimestamp', 'delegationFee'] as const;

/** The arguments of the present validators of a subnet. */
export const currentValidatorArguments = {
  network: networkArgument('Network of the subnet.'),
  subnetId: {
    ...idArgument('Id of the subnet, CB58. If omitted, the primary network.'),
    default: ZERO_ID,
  },
  ...narrowing({
    active: optional<boolean>({
      type: 'Boolean',
      description:
        'Only those that validate now (true), or only those that wait for their start (false). If omitted, both.',
      schema: { type: 'boolean' },
      read: (_name, value) => value === true,
    }),
    minWeight: leastArgument(
      'Only those with at least this weight, their delegators included: nAVAX on the primary network. If omitted, any.',
    ),
    maxDelegationFeePercent: percentArgument(
      "Only those that keep at most this share of their delegators' rewards, percent: 0 to 100 with up to four decimals. If omitted, any.",
    ),
    minDelegationCapacity: leastArgument(
      'Only those to which at least this much can still be delegated, nAVAX. Outside of the primary network none has such a capacity. If omitted, any.',
    ),
    endsAfter: momentArgument('Only those whose period ends at this time or later, Unix seconds.'),
    endsBefore: momentArgument('Only those whose period ends before this time, Unix seconds.'),
    nodeIdContains,
  }),
  sortBy: choiceArgument(
    'ValidatorSort',
    validatorSorts,
    'What the list is sorted by; ties by nodeId in the same direction.',
    'weight',
  ),
  sortOrder: choiceArgument('SortOrder', ['asc', 'desc'], 'Direction of the sort.', 'desc'),
};

export type CurrentValidatorNarrowing = Narrowing<typeof currentValidatorArguments>;

export type CurrentValidatorQuery = ArgumentValues<typeof currentValidatorArguments>;
