import { optional, type ArgumentValues } from '../../arguments/argument.js';
import { choiceArgument, idArgument, momentArgument, networkArgument } from '../../arguments/common.js';
import { txTypes, type TxType } from '../transaction/tx-types.js';

/** What a subnet is asked for by. */
export const subnetArguments = {
  network: networkArgument('Network of the subnet.'),
  subnetId: idArgument('Id of the subnet, CB58.'),
};

/** What a list of subnets is asked for by. */
export const subnetListArguments = { network: networkArgument('Network of the subnets.') };

export type SubnetQuery = ArgumentValues<typeof subnetListArguments>;

/** What the transactions that name something are asked for by. */
export const namingArguments = {
  txType: optional(
    choiceArgument('TxType', Object.keys(txTypes) as TxType[], 'Only this type. Not given: all.'),
  ),
  since: momentArgument('Only transactions of blocks made at this moment or later, Unix seconds.'),
  until: momentArgument('Only transactions of blocks made before this moment, Unix seconds.'),
};

export type NamingQuery = ArgumentValues<typeof namingArguments>;
