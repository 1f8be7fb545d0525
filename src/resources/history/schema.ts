import type { Builder } from '../../graphql/builder.js';
import type { ListEdgeSource } from '../../graphql/connection.js';
import { exposeFields } from '../../graphql/fields.js';
import { listField } from '../../graphql/list-field.js';
import { transactionListArguments, type TransactionQuery } from '../transaction/arguments.js';
import type { TransactionNode } from '../transaction/fields.js';
import { toTransactionNode } from '../transaction/row.js';
import { assetEffectFields, effectFields, type AssetEffectNode, type EffectNode } from './fields.js';
import { transactionList } from './list.js';
import { effectLoader } from './loaders.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    TransactionEdge: ListEdgeSource<TransactionNode>;
    TransactionEffect: EffectNode;
    AssetEffect: AssetEffectNode;
  }
}

/** Registers the history of an address, and what each of its transactions did to it. */
export function registerHistory(builder: Builder): void {
  registerEffect(builder);
  registerList(builder);
}

function registerEffect(builder: Builder): void {
  builder.objectType('AssetEffect', {
    description:
      'What a transaction did with an asset of addresses. An output with several owners counts in full for each.',
    fields: (t) => exposeFields(t, assetEffectFields),
  });
  builder.objectType('TransactionEffect', {
    description:
      'What a transaction did to the addresses whose history was asked for; several are taken as one owner.',
    fields: (t) => exposeFields(t, effectFields),
  });
  // Of the edge, not of the transaction: whose history it was met in is no fact about it, and clients keep nodes by their id.
  builder.objectField('TransactionEdge', 'effect', (t) =>
    t.field({
      type: 'TransactionEffect',
      nullable: true,
      description:
        'What the transaction did to the address, or to the addresses together, whose history the list is; null in any other list.',
      resolve: ({ rowId, asked }, _args, context) => {
        const { addresses } = asked as Partial<TransactionQuery>;
        return addresses ? effectLoader(context).load({ transactionId: rowId, addresses }) : null;
      },
    }),
  );
}

function registerList(builder: Builder): void {
  builder.objectField('Address', 'transactions', (t) =>
    listField(t, {
      type: 'TransactionConnection',
      description:
        'Its history: the transactions whose consumedUtxos or emittedUtxos hold an output of the address, each once, newest first by block timestamp, ties by txHash. What each did to the address its edge tells. The same list, with the same cursors, as the field transactions of the query.',
      list: transactionList,
      arguments: transactionListArguments,
      of: {
        network: ({ network }) => network,
        addresses: ({ address }) => [address],
        // Histories are not filtered by them.
        nodeId: () => null,
        subnetId: () => null,
      },
      toNode: toTransactionNode,
    }),
  );
}
