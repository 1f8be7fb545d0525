import type { Builder } from '../../graphql/builder.js';
import { subnetLoader } from '../subnet/loaders.js';
import { transactionLoader } from '../transaction/loaders.js';
import { validatorLoader } from '../validator/loaders.js';
import { l1ValidatorLoader } from './loaders.js';

/** Registers where an L1 validator leads to, and what leads to it. */
export function registerL1ValidatorEdges(builder: Builder): void {
  builder.objectFields('L1Validator', (t) => ({
    subnet: t.field({
      type: 'Subnet',
      nullable: true,
      description: 'The subnet that the L1 was, subnetId; null where that is no id.',
      resolve: ({ network, subnetId }, _args, context) => subnetLoader(context).load({ network, subnetId }),
    }),
    validator: t.field({
      type: 'Validator',
      nullable: true,
      description: 'The node, nodeId; null where that is no id.',
      resolve: ({ network, nodeId }, _args, context) => validatorLoader(context).load({ network, nodeId }),
    }),
  }));
  builder.objectField('L1ValidatorChange', 'transaction', (t) =>
    t.field({
      type: 'Transaction',
      nullable: true,
      description: 'The transaction, txHash; null never while it is listed.',
      resolve: ({ network, txHash }, _args, context) =>
        transactionLoader(context).load({ network, chain: 'p', txHash }),
    }),
  );
  builder.objectField('L1ValidatorDetails', 'l1Validator', (t) =>
    t.field({
      type: 'L1Validator',
      nullable: true,
      description: 'The L1 validator with all its changes, validationId; null where that is no id.',
      resolve: ({ network, validationId }, _args, context) =>
        l1ValidatorLoader(context).load({ network, validationId }),
    }),
  );
}
