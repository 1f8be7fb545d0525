import type { ArgumentValues } from '../../arguments/argument.js';
import { idArgument, networkArgument } from '../../arguments/common.js';

export const subnetArguments = {
  network: networkArgument('Network of the subnet.'),
  subnetId: idArgument('Id of the subnet, CB58.'),
};

export const subnetListArguments = { network: networkArgument('Network of the subnets.') };

export type SubnetQuery = ArgumentValues<typeof subnetListArguments>;
