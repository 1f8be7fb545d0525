import type { Builder } from '../../graphql/builder.js';
import { listField } from '../../graphql/list-field.js';
import { historyArguments } from './arguments.js';
import { historyList } from './list.js';
import { toTransactionNode } from './row.js';

/** Registers the history of an address. */
export function registerHistory(builder: Builder): void {
  builder.objectField('Address', 'transactions', (t) =>
    listField(t, {
      type: 'TransactionConnection',
      description:
        'Its history: the transactions whose consumedUtxos or emittedUtxos hold an output of the address, each once, newest first by block timestamp, ties by txHash.',
      list: historyList,
      arguments: historyArguments,
      of: { network: ({ network }) => network, addresses: ({ address }) => [address] },
      toNode: toTransactionNode,
    }),
  );
}
