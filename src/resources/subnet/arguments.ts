import type { ArgumentValues } from '../../arguments/argument.js';
import { idArgument, networkArgument } from '../../arguments/common.js';

/** What a subnet is asked for by. */
export const subnetArguments = {
  network: networkArgument('Network of the subnet.'),
  subnetId: idArgument('Id of the subnet, CB58.'),
};

/** What a list of subnets is asked for by. */
export const subnetListArguments = { network: networkArgument('Network of the subnets.') };

export type SubnetQuery = ArgumentValues<typeof subnetListArguments>;
