import type { Builder } from '../../graphql/builder.js';
import { listField } from '../../graphql/list-field.js';
import { subnetLoader } from '../subnet/loaders.js';
import { transactionLoader } from '../transaction/loaders.js';
import { validatorLoader } from '../validator/loaders.js';
import { nodeL1ValidatorList, subnetL1ValidatorList } from './list.js';
import { l1ValidatorLoader } from './loaders.js';
import { toL1ValidatorNode } from './row.js';

/** Registers the fields between an L1 validator and other objects. */
export function registerL1ValidatorEdges(builder: Builder): void {
  registerEnds(builder);
  registerLists(builder);
}

function registerLists(builder: Builder): void {
  builder.objectField('Subnet', 'l1Validators', (t) =>
    listField(t, {
      type: 'L1ValidatorConnection',
      description:
        'The validators of the L1 that the subnet became, including removed ones (weight 0), by validationId: those whose newest indexed transaction names the subnet.',
      list: subnetL1ValidatorList,
      of: { rowId: ({ rowId }) => rowId },
      key: ({ network, subnetId }) => ({ network, subnetId }),
      toNode: toL1ValidatorNode,
    }),
  );
  builder.objectField('Validator', 'l1Validators', (t) =>
    listField(t, {
      type: 'L1ValidatorConnection',
      description:
        'The node as a validator of L1s, now or in the past, by validationId: the L1 validators whose newest indexed transaction names the node.',
      list: nodeL1ValidatorList,
      of: { rowId: ({ rowId }) => rowId },
      key: ({ network, nodeId }) => ({ network, nodeId }),
      toNode: toL1ValidatorNode,
    }),
  );
}

function registerEnds(builder: Builder): void {
  builder.objectFields('L1Validator', (t) => ({
    subnet: t.field({
      type: 'Subnet',
      nullable: true,
      description: 'The subnet that became the L1 (subnetId); null where that is not a valid id.',
      resolve: ({ network, subnetId }, _args, context) => subnetLoader(context).load({ network, subnetId }),
    }),
    validator: t.field({
      type: 'Validator',
      nullable: true,
      description: 'The node (nodeId); null where that is not a valid id.',
      resolve: ({ network, nodeId }, _args, context) => validatorLoader(context).load({ network, nodeId }),
    }),
  }));
  builder.objectField('L1ValidatorChange', 'transaction', (t) =>
    t.field({
      type: 'Transaction',
      nullable: true,
      description: 'The transaction (txHash); never null while the change is listed.',
      resolve: ({ network, txHash }, _args, context) =>
        transactionLoader(context).load({ network, chain: 'p', txHash }),
    }),
  );
  builder.objectField('L1ValidatorDetails', 'l1Validator', (t) =>
    t.field({
      type: 'L1Validator',
      nullable: true,
      description: 'The L1 validator (validationId) with all its changes; null where that is not a valid id.',
      resolve: ({ network, validationId }, _args, context) =>
        l1ValidatorLoader(context).load({ network, validationId }),
    }),
  );
}
