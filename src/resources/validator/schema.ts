import type { Builder } from '../../graphql/builder.js';
import { registerNode } from '../../graphql/node.js';
import { addRowField } from '../../graphql/row-field.js';
import { validatorArguments, validatorListArguments } from './arguments.js';
import { validatorFields, validatorKeys, type ValidatorNode } from './fields.js';
import { findValidators, findValidatorsOfTransactions, validatorList } from './list.js';
import { registerValidatorLists } from './lists-schema.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    Validator: ValidatorNode;
  }
}

export function registerValidator(builder: Builder): void {
  registerNode(builder, {
    type: 'Validator',
    description: 'A node that validates, or validated, the primary network, a subnet or an L1.',
    plural: 'validators',
    id: 'nodeId',
    keys: validatorKeys,
    fields: validatorFields,
    find: findValidators,
    query: {
      name: 'validator',
      description: 'One validator by its node id; null when no indexed P-chain transaction names it.',
      arguments: validatorArguments,
    },
    list: {
      name: 'validators',
      description:
        'The nodes that P-chain transactions name, by nodeId. For those that validate now, sorted and filtered, see currentValidators.',
      arguments: validatorListArguments,
      list: validatorList,
    },
  });
  registerValidatorLists(builder);
  registerValidatorEdges(builder);
}

function registerValidatorEdges(builder: Builder): void {
  addRowField(builder, 'Transaction', 'validator', {
    type: 'Validator',
    description: 'The validator that the transaction names (nodeId); null for transactions without one.',
    find: findValidatorsOfTransactions,
    of: ({ rowId }) => ({ transactionId: rowId }),
    needs: 'nodeId',
  });
  addRowField(builder, 'L1ValidatorDetails', 'validator', {
    type: 'Validator',
    description: 'The node (nodeId); null where that is not a valid id.',
    find: findValidators,
    of: ({ network, nodeId }) => ({ network, nodeId }),
  });
}
