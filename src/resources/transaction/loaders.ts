import { createContextCache } from '@pothos/core';
import DataLoader from 'dataloader';
import type { Context } from '../../graphql/context.js';
import type { PageRequest } from '../../paging/page-request.js';
import { toTransactionNode, type TransactionNode, type TransactionUtxoRow } from './row.js';
import {
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

interface UtxoPageKey {
  transactionId: string;
  request: PageRequest;
}

/** Pages of the outputs that transactions emitted; cursors are row ids. */
export const outputPageLoader = createContextCache((context: Context) => utxoPageLoader(context, 'output'));

/** Pages of the outputs that transactions consumed; cursors are row ids. */
export const inputPageLoader = createContextCache((context: Context) => utxoPageLoader(context, 'input'));

// Pages of one field come with the same direction and limit, so that a batch is one statement; two selections
// of the field under different aliases are two.
function utxoPageLoader({ storage }: Context, side: TransactionSide) {
  return new DataLoader<UtxoPageKey, TransactionUtxoRow[]>(
    async (keys) => {
      const results = new Map<UtxoPageKey, TransactionUtxoRow[]>();
      const shapes = new Set(keys.map(shapeOf));
      await Promise.all(
        [...shapes].map(async (shape) => {
          const group = keys.filter((key) => shapeOf(key) === shape);

          const [{ request }] = group as [UtxoPageKey];
          const pages = group.map((key) => ({ ...key.request, transactionId: key.transactionId }));
          const rows = await listTransactionUtxos(storage, side, request, pages);
          group.forEach((key, index) => results.set(key, rows[index] ?? []));
        }),
      );
      return keys.map((key) => results.get(key) ?? []);
    },
    { cache: false },
  );
}

const shapeOf = ({ request }: UtxoPageKey) => `${request.direction} ${request.limit}`;
