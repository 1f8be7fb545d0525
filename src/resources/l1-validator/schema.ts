import type { Builder } from '../../graphql/builder.js';
import { registerNode } from '../../graphql/node.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { exposeFields } from '../../graphql/fields.js';
import { addListField } from '../../graphql/list-field.js';
import { NEWEST_FIRST } from '../transaction/arguments.js';
import { l1ValidatorArguments, l1ValidatorListArguments } from './arguments.js';
import { registerL1ValidatorEdges } from './edges-schema.js';
import { balanceOwner, l1ValidatorChangeFields, l1ValidatorFields, l1ValidatorKeys } from './fields.js';
import type { L1ValidatorChangeNode, L1ValidatorNode } from './fields.js';
import { findL1Validators, l1ValidatorChangeList, l1ValidatorList } from './list.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    L1Validator: L1ValidatorNode;
    L1ValidatorChange: L1ValidatorChangeNode;
  }
}

export function registerL1Validator(builder: Builder): void {
  registerNode(builder, {
    type: 'L1Validator',
    description:
      'One validation period of an L1 validator: a node with a weight, and a balance from which it pays fees.',
    plural: 'L1 validators',
    id: 'validationId',
    keys: l1ValidatorKeys,
    fields: l1ValidatorFields,
    find: findL1Validators,
    query: {
      name: 'l1Validator',
      description:
        'One L1 validator by its validation id; null when no indexed transaction changed it and it is none of now.',
      arguments: l1ValidatorArguments,
    },
    list: {
      name: 'l1Validators',
      description: 'The L1 validators that transactions changed, including removed ones, by validationId.',
      arguments: l1ValidatorListArguments,
      list: l1ValidatorList,
    },
  });
  builder.objectType('L1ValidatorChange', {
    description: 'What a transaction did to an L1 validator.',
    fields: (t) => exposeFields(t, l1ValidatorChangeFields),
  });
  registerConnection(builder, 'L1ValidatorChange', 'changes of an L1 validator');
  addListField(builder, 'L1Validator', 'changes', {
    type: 'L1ValidatorChangeConnection',
    description: `Changes that transactions made to its weight and balance, ${NEWEST_FIRST}.`,
    list: l1ValidatorChangeList,
    of: { rowId: ({ rowId }) => rowId },
    key: ({ network, validationId }) => ({ network, validationId }),
  });
  const { description, fields } = balanceOwner;
  builder.objectType('BalanceOwner', { description, fields: (t) => exposeFields(t, fields) });
  registerL1ValidatorEdges(builder);
}
