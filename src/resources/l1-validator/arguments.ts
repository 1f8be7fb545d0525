import type { ArgumentValues } from '../../arguments/argument.js';
import { idArgument, networkArgument } from '../../arguments/common.js';

export const l1ValidatorArguments = {
  network: networkArgument('Network of the L1.'),
  validationId: idArgument('Id of the validation period, CB58.'),
};

export const l1ValidatorListArguments = { network: networkArgument('Network of the L1s.') };

export type L1ValidatorQuery = ArgumentValues<typeof l1ValidatorListArguments>;
