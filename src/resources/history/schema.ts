import type { Builder } from '../../graphql/builder.js';
import type { ListEdgeSource } from '../../graphql/connection.js';
import { exposeFields } from '../../graphql/fields.js';
import { addListField } from '../../graphql/list-field.js';
import { addRowField, rowField } from '../../graphql/row-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { chainAddressesArguments } from '../address/arguments.js';
import { NEWEST_FIRST, transactionListArguments, type TransactionQuery } from '../transaction/arguments.js';
import type { TransactionNode } from '../transaction/fields.js';
import { findTransactions } from '../transaction/list.js';
import { findUtxos } from '../utxo/list.js';
import {
  activityFields,
  assetEffectFields,
  effectFields,
  type ActivityNode,
  type AssetEffectNode,
  type EffectNode,
} from './fields.js';
import { transactionList } from './list.js';
import { findEffects, findLastActivity, type ActivityQuery } from './store.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    TransactionEdge: ListEdgeSource<TransactionNode>;
    TransactionEffect: EffectNode;
    AssetEffect: AssetEffectNode;
    Activity: ActivityNode;
  }
}

export function registerHistory(builder: Builder): void {
  builder.objectType('AssetEffect', {
    description:
      'The effect of a transaction on one asset of the given addresses. An output with several owners counts in full for each.',
    fields: (t) => exposeFields(t, assetEffectFields),
  });
  builder.objectType('TransactionEffect', {
    description:
      'The effect of a transaction on the addresses that the list was requested for. Several addresses count as one owner.',
    fields: (t) => exposeFields(t, effectFields),
  });
  // A field of the edge, not of the transaction: it depends on the address, and clients cache nodes by their
  // id.
  builder.objectField('TransactionEdge', 'effect', (t) =>
    t.field({
      type: 'TransactionEffect',
      nullable: true,
      description:
        'The effect of the transaction on the address or addresses that the list was requested for; null in a list that is not by address.',
      resolve: ({ rowId, listQuery }, _args, context) => {
        const { addresses } = listQuery as Partial<TransactionQuery>;
        return addresses ? loadRow(context, findEffects, { transactionId: rowId, addresses }) : null;
      },
    }),
  );
  registerActivity(builder);
  addListField(builder, 'Address', 'transactions', {
    type: 'TransactionConnection',
    description: `The transactions that consumed or emitted an output of the address, each once, ${NEWEST_FIRST}. The field effect of an edge says what the transaction did to the address. The same list, with the same cursors, as Query.transactions for this address.`,
    list: transactionList,
    arguments: transactionListArguments,
    of: {
      network: ({ network }) => network,
      addresses: ({ address }) => [address],
      // Histories have no such filters.
      nodeId: () => null,
      subnetId: () => null,
      l1ValidationId: () => null,
    },
  });
}

function registerActivity(builder: Builder): void {
  builder.objectType('Activity', {
    description: 'What a transaction did to an output.',
    fields: (t) => ({
      ...exposeFields(t, activityFields),
      json: t.field({ type: 'JsonText', description: 'It as JSON text.', resolve: ({ text }) => text }),
    }),
  });
  builder.objectFields('Activity', (t) => ({
    transaction: rowField(t, {
      type: 'Transaction',
      description: 'The transaction (txHash).',
      find: findTransactions,
      of: ({ network, chain, txHash }) => ({ network, chain, txHash }),
    }),
    utxo: rowField(t, {
      type: 'Utxo',
      description: 'The output (utxoId).',
      find: findUtxos,
      of: ({ network, utxoId }) => ({ network, utxoId }),
    }),
  }));
  addRowField(builder, 'Query', 'lastActivity', {
    type: 'Activity',
    description:
      'The newest thing that an indexed transaction of a chain did to outputs of addresses; null if none did anything.',
    find: { load: ({ storage }, query: ActivityQuery) => findLastActivity(storage, query) },
    arguments: chainAddressesArguments,
  });
}
