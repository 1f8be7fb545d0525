import { optional } from '../../arguments/argument.js';
import { networkArgument } from '../../arguments/common.js';

export const chainStatusArguments = {
  network: optional(networkArgument('Only chains of this network; if omitted, of all.')),
};
