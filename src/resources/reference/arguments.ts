import { narrowing, type ArgumentValues, type Narrowing } from '../../arguments/argument.js';
import { momentArgument } from '../../arguments/common.js';
import { typeArguments } from '../transaction/arguments.js';

export const referenceArguments = {
  ...typeArguments,
  ...narrowing({
    since: momentArgument('Only transactions of blocks made at this time or later, Unix seconds.'),
    until: momentArgument('Only transactions of blocks made before this time, Unix seconds.'),
  }),
};

export type ReferenceNarrowing = Narrowing<typeof referenceArguments>;

export type ReferenceQuery = ArgumentValues<typeof referenceArguments>;
