import type { ArgumentValues } from '../../arguments/argument.js';
import { idArgument, networkArgument } from '../../arguments/common.js';

/** The arguments of an L1 validator. */
export const l1ValidatorArguments = {
  network: networkArgument('Network of the L1.'),
  validationId: idArgument('Id of the validation period, CB58.'),
};

/** The arguments of a list of L1 validators. */
export const l1ValidatorListArguments = { network: networkArgument('Network of the L1s.') };

export type L1ValidatorQuery = ArgumentValues<typeof l1ValidatorListArguments>;
