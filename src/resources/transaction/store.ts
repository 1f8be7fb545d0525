import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { keyset, keysetName } from '../../paging/keyset.js';
import type { PageRequest } from '../../paging/page-request.js';
import type { Storage } from '../../storage/open.js';
import { bind, statement } from '../../storage/statement.js';
import { utxoColumns } from '../utxo/columns.js';
import { transactionColumns } from './columns.js';
import type { TransactionRow, TransactionUtxoRow } from './row.js';

/** What identifies a transaction. */
export interface TransactionKey {
  network: Network;
  chain: PrimaryChain;
  txHash: string;
}

/** A list of transactions, newest first. */
export interface TransactionQuery {
  network: Network;
  chain: PrimaryChain;
  /** Only this type; null lists all. */
  txType: string | null;
}

/** Transactions by their natural key, in no particular order; those not held are missing. */
export function findTransactions(
  storage: Storage,
  keys: readonly TransactionKey[],
): Promise<(TransactionRow & { txHash: string })[]> {
  const find = statement(
    'transactions_by_key',
    () => `
      SELECT row.*, wanted.tx_hash AS "txHash"
      FROM unnest(:networks::network[], :chains::primary_chain[], :txHashes::text[]) AS wanted(network, chain, tx_hash)
      CROSS JOIN LATERAL (
        SELECT ${transactionColumns} FROM transaction t
        WHERE t.network = wanted.network AND t.chain = wanted.chain AND t.tx_hash = wanted.tx_hash OFFSET 0) row`,
  );
  const values = {
    networks: keys.map((key) => key.network),
    chains: keys.map((key) => key.chain),
    txHashes: keys.map((key) => key.txHash),
  };
  return storage.read(find, bind(find, values));
}

/** Up to limit + 1 transactions of a list, in list order. Cursors are row ids. */
export async function listTransactions(
  storage: Storage,
  query: TransactionQuery,
  request: PageRequest,
): Promise<TransactionRow[]> {
  const name = `transactions_${keysetName('desc', request)}${query.txType ? '_type' : ''}`;
  const list = statement(name, () => {
    const position = (cursor: string) =>
      `(SELECT c.block_timestamp, c.tie, c.id FROM transaction c WHERE c.id = :${cursor}::bigint)`;
    const { conditions, readingOrder } = keyset(
      ['t.block_timestamp', 't.tie', 't.id'],
      'desc',
      request,
      position,
    );
    return `
      SELECT ${transactionColumns} FROM transaction t
      WHERE t.network = :network::network AND t.chain = :chain::primary_chain
        ${query.txType ? 'AND t.tx_type = :txType' : ''}${conditions}
      ORDER BY ${readingOrder} LIMIT :limit::bigint`;
  });
  const rows = await storage.read<TransactionRow>(
    list,
    bind(list, { ...query, ...request, limit: request.limit === null ? null : request.limit + 1 }),
  );
  return request.direction === 'backward' ? rows.reverse() : rows;
}

/** Whether a transaction of this row id exists. */
export async function transactionExists(storage: Storage, id: string): Promise<boolean> {
  const exists = statement('transaction_exists', () => 'SELECT 1 FROM transaction WHERE id = :id::bigint');
  return storage.holds(exists, bind(exists, { id }));
}

/** How many transactions a list has, counted up to `most`. */
export async function countTransactions(
  storage: Storage,
  query: TransactionQuery,
  most: number,
): Promise<number> {
  const count = statement(
    `transactions_count${query.txType ? '_type' : ''}`,
    () => `
      SELECT count(*)::int AS count FROM (
        SELECT 1 FROM transaction t WHERE t.network = :network::network AND t.chain = :chain::primary_chain
        ${query.txType ? 'AND t.tx_type = :txType' : ''} LIMIT :most::bigint) found`,
  );
  const [row] = await storage.read<{ count: number }>(count, bind(count, { ...query, most }));
  return row?.count ?? 0;
}

/** Which of a transaction's lists: the outputs that it emitted, or those that it consumed. */
export type TransactionSide = 'output' | 'input';

/** A page of one transaction's outputs; cursors are row ids of UTXOs. */
export interface TransactionUtxoPage {
  transactionId: string;
  after: string | null;
  before: string | null;
}

/**
 * Up to limit + 1 outputs of each of several transactions, in list order, in one statement.
 *
 * @returns for each page, in the order given, its rows
 */
export async function listTransactionUtxos(
  storage: Storage,
  side: TransactionSide,
  request: Pick<PageRequest, 'direction' | 'limit'>,
  pages: readonly TransactionUtxoPage[],
): Promise<TransactionUtxoRow[][]> {
  const order = request.direction === 'forward' ? 'ASC' : 'DESC';
  const list = statement(`transaction_${side}_${request.direction}`, () => {
    const table = `transaction_${side}`;
    const position = (cursor: string) =>
      `(SELECT c.position FROM ${table} c WHERE c.utxo_row_id = parent.${cursor} AND c.transaction_id = parent.id)`;
    return `
      SELECT parent.ordinal::int AS ordinal, row.*
      FROM unnest(:parents::bigint[], :afters::bigint[], :befores::bigint[])
        WITH ORDINALITY AS parent(id, after, before, ordinal)
      CROSS JOIN LATERAL (
        SELECT link.position, link.utxo_row_id FROM ${table} link
        WHERE link.transaction_id = parent.id
          AND link.position > CASE WHEN parent.after IS NULL THEN -1 ELSE ${position('after')} END
          AND link.position < CASE WHEN parent.before IS NULL THEN 2147483647 ELSE ${position('before')} END
        ORDER BY link.position ${order} LIMIT :limit::bigint) link
      CROSS JOIN LATERAL (
        SELECT ${utxoColumns} FROM utxo u JOIN asset a ON a.id = u.asset_row_id
        WHERE u.id = link.utxo_row_id OFFSET 0) row
      ORDER BY parent.ordinal, link.position`;
  });
  const rows = await storage.read<TransactionUtxoRow & { ordinal: number }>(
    list,
    bind(list, {
      parents: pages.map((page) => page.transactionId),
      afters: pages.map((page) => page.after),
      befores: pages.map((page) => page.before),
      limit: request.limit === null ? null : request.limit + 1,
    }),
  );
  const byPage = pages.map((): TransactionUtxoRow[] => []);
  for (const row of rows) byPage[row.ordinal - 1]?.push(row);
  return byPage;
}

/** How many outputs each of several transactions has, each counted up to `most`. */
export async function countTransactionUtxos(
  storage: Storage,
  side: TransactionSide,
  transactionIds: readonly string[],
  most: number,
): Promise<number[]> {
  const count = statement(
    `transaction_${side}s_count`,
    () => `
      SELECT (SELECT count(*)::int FROM (
        SELECT 1 FROM transaction_${side} link WHERE link.transaction_id = parent.id LIMIT :most::bigint) found
      ) AS count
      FROM unnest(:parents::bigint[]) WITH ORDINALITY AS parent(id, ordinal) ORDER BY parent.ordinal`,
  );
  const rows = await storage.read<{ count: number }>(count, bind(count, { parents: transactionIds, most }));
  return rows.map((row) => row.count);
}

/** Whether an output stands in a transaction's list. */
export async function transactionUtxoExists(
  storage: Storage,
  side: TransactionSide,
  transactionId: string,
  utxoRowId: string,
): Promise<boolean> {
  const exists = statement(
    `transaction_${side}_exists`,
    () =>
      `SELECT 1 FROM transaction_${side} WHERE utxo_row_id = :utxoRowId::bigint AND transaction_id = :transactionId::bigint`,
  );
  return storage.holds(exists, bind(exists, { utxoRowId, transactionId }));
}

/**
 * The transactions that made or spent outputs, for outputs whose transaction is held.
 *
 * @param role creating: the one that emitted the output, else the one that its txHash names
 */
export function findTransactionsOfUtxos(
  storage: Storage,
  role: 'creating' | 'consuming',
  utxoRowIds: readonly string[],
): Promise<(TransactionRow & { utxoRowId: string })[]> {
  const find = statement(`${role}_transactions`, () => {
    const condition =
      role === 'consuming'
        ? 't.network = u.network AND t.chain = u.consumed_on AND t.tx_hash = u.consuming_tx_hash'
        : `t.id = coalesce(
            (SELECT min(o.transaction_id) FROM transaction_output o WHERE o.utxo_row_id = u.id),
            (SELECT n.id FROM transaction n WHERE n.network = u.network AND n.chain = u.created_on AND n.tx_hash = u.tx_hash))`;
    return `
      SELECT wanted.id AS "utxoRowId", row.*
      FROM unnest(:utxos::bigint[]) AS wanted(id)
      CROSS JOIN LATERAL (
        SELECT ${transactionColumns} FROM utxo u JOIN transaction t ON ${condition}
        WHERE u.id = wanted.id OFFSET 0) row`;
  });
  return storage.read(find, bind(find, { utxos: utxoRowIds }));
}
