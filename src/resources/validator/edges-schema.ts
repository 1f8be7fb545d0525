import type { Builder } from '../../graphql/builder.js';
import { rowField } from '../../graphql/row-field.js';
import { findValidators, findValidatorsOfTransactions } from './list.js';

/** Registers the fields that lead to a validator. */
export function registerValidatorEdges(builder: Builder): void {
  builder.objectField('Transaction', 'validator', (t) =>
    rowField(t, {
      type: 'Validator',
      description: 'The validator that the transaction names (nodeId); null for transactions without one.',
      find: findValidatorsOfTransactions,
      of: ({ rowId }) => ({ transactionId: rowId }),
      needs: 'nodeId',
    }),
  );
  builder.objectField('L1ValidatorDetails', 'validator', (t) =>
    rowField(t, {
      type: 'Validator',
      description: 'The node (nodeId); null where that is not a valid id.',
      find: findValidators,
      of: ({ network, nodeId }) => ({ network, nodeId }),
    }),
  );
}
