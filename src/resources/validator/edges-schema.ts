import type { Builder } from '../../graphql/builder.js';
import { sqlOf } from '../../graphql/sql-source.js';
import { findValidatorsOfTransactions } from './list.js';
import { validatorLoader } from './loaders.js';

/** Registers the fields that lead to a validator. */
export function registerValidatorEdges(builder: Builder): void {
  builder.objectField('Transaction', 'validator', (t) =>
    t.field({
      type: 'Validator',
      nullable: true,
      description: 'The validator that the transaction names (nodeId); null for transactions without one.',
      extensions: sqlOf({
        row: {
          find: findValidatorsOfTransactions,
          of: ({ rowId }: { rowId: string }) => ({ transactionId: rowId }),
        },
      }),
      resolve: ({ network, nodeId }, _args, context) =>
        nodeId ? validatorLoader(context).load({ network, nodeId }) : null,
    }),
  );
  builder.objectField('L1ValidatorDetails', 'validator', (t) =>
    t.field({
      type: 'Validator',
      nullable: true,
      description: 'The node (nodeId); null where that is not a valid id.',
      resolve: ({ network, nodeId }, _args, context) => validatorLoader(context).load({ network, nodeId }),
    }),
  );
}
