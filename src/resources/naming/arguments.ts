import { optional, type ArgumentValues } from '../../arguments/argument.js';
import { choiceArgument, momentArgument } from '../../arguments/common.js';
import { txTypes, type TxType } from '../transaction/tx-types.js';

/** What the transactions that name something are asked for by. */
export const namingArguments = {
  txType: optional(
    choiceArgument('TxType', Object.keys(txTypes) as TxType[], 'Only this type. Not given: all.'),
  ),
  since: momentArgument('Only transactions of blocks made at this moment or later, Unix seconds.'),
  until: momentArgument('Only transactions of blocks made before this moment, Unix seconds.'),
};

export type NamingQuery = ArgumentValues<typeof namingArguments>;
