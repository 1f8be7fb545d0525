import type { Argument, ArgumentValues } from '../../arguments/argument.js';
import { networkArgument } from '../../arguments/common.js';
import { readNodeId } from '../../avalanche/input.js';
import { NODE_ID, only } from '../../avalanche/patterns.js';

export const nodeIdArgument: Argument<string> = {
  type: 'String',
  description: 'Id of the node, NodeID-….',
  schema: { type: 'string', pattern: only(NODE_ID) },
  read: (name, value) => readNodeId(name, String(value)),
};

export const validatorArguments = {
  network: networkArgument('Network of the validator.'),
  nodeId: nodeIdArgument,
};

export const validatorListArguments = { network: networkArgument('Network of the validators.') };

export type ValidatorQuery = ArgumentValues<typeof validatorListArguments>;
