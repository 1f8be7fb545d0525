import type { Builder } from '../../graphql/builder.js';
import { addListField } from '../../graphql/list-field.js';
import { addRowField, rowField } from '../../graphql/row-field.js';
import { findSubnets } from '../subnet/list.js';
import { findTransactions } from '../transaction/list.js';
import { findValidators } from '../validator/list.js';
import { currentL1ValidatorArguments, type CurrentL1ValidatorQuery } from './arguments.js';
import { currentL1ValidatorList } from './current-list.js';
import { balanceOwnerOf, notFollowed, type BalanceOwnerNode } from './fields.js';
import { findCreating, findL1Validators, nodeL1ValidatorList, subnetL1ValidatorList } from './list.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    BalanceOwner: BalanceOwnerNode;
  }
  interface LeafTypes {
    L1ValidatorSort: Leaf<CurrentL1ValidatorQuery['sortBy']>;
  }
}

export function registerL1ValidatorEdges(builder: Builder): void {
  builder.enumType('L1ValidatorSort', {
    description:
      'What a list of present L1 validators is sorted by; ties are sorted by validationId in the same direction.',
    values: {
      balance: { description: 'Balance now, and so the time when it runs dry; inactive ones have none.' },
      weight: { description: 'Weight in the L1.' },
    },
  });
  builder.objectFields('L1Validator', (t) => ({
    subnet: rowField(t, {
      type: 'Subnet',
      description: 'The subnet that became the L1 (subnetId); null where that is not a valid id.',
      find: findSubnets,
      of: ({ network, subnetId }) => ({ network, subnetId }),
    }),
    validator: rowField(t, {
      type: 'Validator',
      description: 'The node (nodeId); null where that is not a valid id.',
      find: findValidators,
      of: ({ network, nodeId }) => ({ network, nodeId }),
    }),
    creatingTransaction: rowField(t, {
      type: 'Transaction',
      description:
        'The oldest indexed transaction that changed it: the one that registered it, where all are indexed.',
      find: findCreating,
      of: ({ rowId }) => ({ rowId }),
    }),
    balanceOwner: t.field({
      type: 'BalanceOwner',
      nullable: true,
      description: `Who gets what is left of its balance; null when it was removed, and ${notFollowed}.`,
      resolve: (validator) => balanceOwnerOf(validator),
    }),
  }));
  addRowField(builder, 'L1ValidatorChange', 'transaction', {
    type: 'Transaction',
    description: 'The transaction (txHash); never null while the change is listed.',
    find: findTransactions,
    of: ({ network, txHash }, constant) => ({ network, chain: constant('p'), txHash }),
  });
  addRowField(builder, 'L1ValidatorDetails', 'l1Validator', {
    type: 'L1Validator',
    description: 'The L1 validator (validationId) with all its changes; null where that is not a valid id.',
    find: findL1Validators,
    of: ({ network, validationId }) => ({ network, validationId }),
  });
  addListField(builder, 'Subnet', 'l1Validators', {
    type: 'L1ValidatorConnection',
    description:
      'The validators of the L1 that the subnet became, including removed ones (weight 0), by validationId: those whose newest indexed transaction names the subnet.',
    list: subnetL1ValidatorList,
    of: { rowId: ({ rowId }) => rowId },
    key: ({ network, subnetId }) => ({ network, subnetId }),
  });
  const listed =
    'removed ones are not listed. Empty where the state of L1 validators is not known: their isActive is then null.';
  addListField(builder, 'Query', 'currentL1Validators', {
    type: 'L1ValidatorConnection',
    description: `The L1 validators of a network, or of one of its subnets, after the newest stored block; ${listed}`,
    list: currentL1ValidatorList,
    arguments: currentL1ValidatorArguments,
  });
  addListField(builder, 'Subnet', 'currentL1Validators', {
    type: 'L1ValidatorConnection',
    description: `The validators of the L1 that the subnet became, after the newest stored block; ${listed}`,
    list: currentL1ValidatorList,
    arguments: currentL1ValidatorArguments,
    of: { network: ({ network }) => network, subnetId: ({ subnetId }) => subnetId },
  });
  addListField(builder, 'Validator', 'l1Validators', {
    type: 'L1ValidatorConnection',
    description:
      'The node as a validator of L1s, now or in the past, by validationId: the L1 validators whose newest indexed transaction names the node.',
    list: nodeL1ValidatorList,
    of: { rowId: ({ rowId }) => rowId },
    key: ({ network, nodeId }) => ({ network, nodeId }),
  });
}
