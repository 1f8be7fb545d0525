import type { Builder } from '../../graphql/builder.js';
import { addLiveField } from '../../graphql/live-field.js';
import { liveArguments, liveTransactions } from './live.js';

/** Registers the stream of transactions. */
export const registerLiveTransactions = (builder: Builder): void =>
  addLiveField(builder, 'transactions', {
    type: 'Transaction',
    description:
      'Transactions when they are first stored: of a chain, or of addresses on one or all chains. The filters are those of Query.transactions.',
    event: 'A transaction was stored.',
    arguments: liveArguments,
    list: liveTransactions,
  });
