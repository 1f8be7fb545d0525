import { nodeIdArgument } from '../validator/arguments.js';
import { narrowing, optional, type ArgumentValues, type Narrowing } from '../../arguments/argument.js';
import {
  choiceArgument,
  idArgument,
  leastArgument,
  momentArgument,
  networkArgument,
  nodeIdContains,
} from '../../arguments/common.js';

export const l1ValidatorArguments = {
  network: networkArgument('Network of the L1.'),
  validationId: idArgument('Id of the validation period, CB58.'),
};

export const l1ValidatorListArguments = { network: networkArgument('Network of the L1s.') };

export type L1ValidatorQuery = ArgumentValues<typeof l1ValidatorListArguments>;

/** The arguments of the present L1 validators of a network, or of a subnet. */
export const currentL1ValidatorArguments = {
  network: networkArgument('Network of the L1s.'),
  ...narrowing({
    subnetId: optional(idArgument('Only L1 validators of this subnet, CB58. If omitted, of all subnets.')),
    validationId: optional(idArgument('Only the L1 validator with this validation id, CB58.')),
    nodeId: optional(nodeIdArgument),
    active: optional<boolean>({
      type: 'Boolean',
      description:
        'Only those that validate now (true), or only those whose balance is spent or was taken out (false). If omitted, both.',
      schema: { type: 'boolean' },
      read: (_name, value) => value === true,
    }),
    minBalance: leastArgument('Only those with at least this balance now, nAVAX. If omitted, any.'),
    runsDryBefore: momentArgument(
      'Only active ones whose balance does not pay the next second any longer before this time (runsDryAt), Unix seconds.',
    ),
    nodeIdContains,
  }),
  sortBy: choiceArgument(
    'L1ValidatorSort',
    ['balance', 'weight'],
    'What the list is sorted by; ties by validationId in the same direction.',
    'balance',
  ),
  sortOrder: choiceArgument('SortOrder', ['asc', 'desc'], 'Direction of the sort.', 'desc'),
};

export type CurrentL1ValidatorNarrowing = Narrowing<typeof currentL1ValidatorArguments>;

export type CurrentL1ValidatorQuery = ArgumentValues<typeof currentL1ValidatorArguments>;
