import type { Argument, ArgumentValues } from '../../arguments/argument.js';
import { networkArgument } from '../../arguments/common.js';
import { decodeCb58 } from '../../avalanche/cb58.js';
import { NODE_ID, only } from '../../avalanche/patterns.js';
import { badInput, quote } from '../../errors.js';

const PREFIX = 'NodeID-';

const nodeId: Argument<string> = {
  type: 'String',
  description: 'Id of the node, NodeID-….',
  schema: { type: 'string', pattern: only(NODE_ID) },
  read: (name, value) => {
    const text = String(value);
    const id = text.startsWith(PREFIX) ? decodeCb58(text.slice(PREFIX.length)) : null;
    if (id?.length !== 20)
      throw badInput(`${name}: ${quote(text)} is not a node id: NodeID- and 20 bytes in CB58`);
    return text;
  },
};

/** The arguments of a validator. */
export const validatorArguments = { network: networkArgument('Network of the validator.'), nodeId };

/** The arguments of a list of validators. */
export const validatorListArguments = { network: networkArgument('Network of the validators.') };

export type ValidatorQuery = ArgumentValues<typeof validatorListArguments>;
