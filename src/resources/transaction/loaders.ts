import { createContextCache } from '@pothos/core';
import DataLoader from 'dataloader';
import type { Context } from '../../graphql/context.js';
import { countLoader, pageLoader } from '../../graphql/page-loader.js';
import type { NestedPage } from '../../paging/nested-page.js';
import { toTransactionNode, type TransactionNode, type TransactionUtxoRow } from './row.js';
import {
  countTransactionUtxos,
  findTransactions,
  findTransactionsOfUtxos,
  listTransactionUtxos,
  type TransactionKey,
  type TransactionSide,
} from './store.js';

const keyOf = ({ network, chain, txHash }: TransactionKey) => `${network}:${chain}:${txHash}`;

/** Transactions by network, chain and hash; null for one that is not held. */
export const transactionLoader = createContextCache(
  ({ storage }: Context) =>
    new DataLoader<TransactionKey, TransactionNode | null, string>(
      async (keys) => {
        const rows = await findTransactions(storage, keys);
        const found = new Map(rows.map((row) => [keyOf(row), toTransactionNode(row)]));
        return keys.map((key) => found.get(keyOf(key)) ?? null);
      },
      { cacheKeyFn: keyOf },
    ),
);

/** The transaction that made an output, by the output's row id; null when it is not held. */
export const creatingTransactionLoader = createContextCache((context: Context) =>
  loaderByUtxo(context, 'creating'),
);

/** The transaction that spent an output, by the output's row id; null when it is not held. */
export const consumingTransactionLoader = createContextCache((context: Context) =>
  loaderByUtxo(context, 'consuming'),
);

function loaderByUtxo({ storage }: Context, role: 'creating' | 'consuming') {
  return new DataLoader<string, TransactionNode | null>(async (utxoRowIds) => {
    const rows = await findTransactionsOfUtxos(storage, role, utxoRowIds);
    const found = new Map(rows.map((row) => [row.utxoRowId, toTransactionNode(row)]));
    return utxoRowIds.map((id) => found.get(id) ?? null);
  });
}

interface UtxoPageKey extends NestedPage {
  transactionId: string;
}

/** Pages of the outputs that transactions emitted; cursors are row ids. */
export const outputPageLoader = createContextCache((context: Context) => utxoPageLoader(context, 'output'));

/** Pages of the outputs that transactions consumed; cursors are row ids. */
export const inputPageLoader = createContextCache((context: Context) => utxoPageLoader(context, 'input'));

function utxoPageLoader({ storage }: Context, side: TransactionSide) {
  return pageLoader<UtxoPageKey, TransactionUtxoRow>(
    () => '',
    (keys) => {
      const pages = keys.map((key) => ({ ...key.request, transactionId: key.transactionId }));
      return listTransactionUtxos(storage, side, keys[0].request, pages);
    },
  );
}

/** Numbers of the outputs that transactions emitted, by the transaction's row id. */
export const outputCounter = createContextCache((context: Context) => utxoCounter(context, 'output'));

/** Numbers of the outputs that transactions consumed, by the transaction's row id. */
export const inputCounter = createContextCache((context: Context) => utxoCounter(context, 'input'));

function utxoCounter(context: Context, side: TransactionSide) {
  return countLoader<string>(
    context,
    (transactionId) => transactionId,
    () => '',
    (transactionIds, most) => countTransactionUtxos(context.storage, side, transactionIds, most),
  );
}
