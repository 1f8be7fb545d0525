import { narrowing, type ArgumentValues, type Narrowing } from '../../arguments/argument.js';
import { momentArgument } from '../../arguments/common.js';
import { typeArguments } from '../transaction/arguments.js';

/** What the transactions that name something are asked for by. */
export const namingArguments = {
  ...typeArguments,
  ...narrowing({
    since: momentArgument('Only transactions of blocks made at this time or later, Unix seconds.'),
    until: momentArgument('Only transactions of blocks made before this time, Unix seconds.'),
  }),
};

export type NamingNarrowing = Narrowing<typeof namingArguments>;

export type NamingQuery = ArgumentValues<typeof namingArguments>;
