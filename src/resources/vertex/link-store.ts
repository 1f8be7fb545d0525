import type { Network } from '../../avalanche/networks.js';
import { keyset, keysetName } from '../../paging/keyset.js';
import { pageValues, rowsByPage, type NestedPage } from '../../paging/nested-page.js';
import type { Storage } from '../../storage/open.js';
import { bind, statement } from '../../storage/statement.js';
import { transactionColumns } from '../transaction/columns.js';
import type { TransactionRow } from '../transaction/row.js';
import { vertexColumns } from './columns.js';
import type { VertexRow } from './row.js';

/** A page of a vertex's transactions. Cursors are positions in the vertex. */
export interface VertexTransactionPage extends NestedPage {
  vertexRowId: string;
}

/** A transaction in a vertex; `id` is its position there, `transactionId` its row id. */
export type VertexTransactionRow = TransactionRow & { transactionId: string };

/** Up to limit + 1 of the held transactions of each of several vertices, in the vertex's order. */
export async function listVertexTransactions(
  storage: Storage,
  pages: readonly [VertexTransactionPage, ...VertexTransactionPage[]],
): Promise<VertexTransactionRow[][]> {
  const [{ request }] = pages;
  const list = statement(`vertex_transactions_${keysetName('asc', request)}`, () => {
    const { conditions, readingOrder } = keyset(
      ['l.position'],
      'asc',
      request,
      (cursor) => `(parent.${cursor})`,
    );
    return `
      SELECT parent.ordinal::int AS ordinal, link.position::text AS id, link.id AS "transactionId",
        link.network, link.chain, link.text, link.unknown
      FROM unnest(:vertices::bigint[], :afters::bigint[], :befores::bigint[])
        WITH ORDINALITY AS parent(id, after, before, ordinal)
      CROSS JOIN LATERAL (
        SELECT l.position, ${transactionColumns} FROM vertex_transaction l
        JOIN transaction t ON t.network = l.network AND t.chain = 'x' AND t.tx_hash = l.tx_hash
        WHERE l.vertex_id = parent.id${conditions}
        ORDER BY ${readingOrder} LIMIT :limit::bigint) link
      ORDER BY parent.ordinal, link.position`;
  });
  const rows = await storage.read<VertexTransactionRow & { ordinal: number }>(
    list,
    bind(list, {
      vertices: pages.map((page) => page.vertexRowId),
      ...pageValues(pages),
    }),
  );
  return rowsByPage(rows, pages.length);
}

/** How many of their transactions vertices have that are held, each counted up to `most`. */
export async function countVertexTransactions(
  storage: Storage,
  vertexRowIds: readonly string[],
  most: number,
): Promise<number[]> {
  const count = statement(
    'vertex_transactions_count',
    () => `
      SELECT (SELECT count(*)::int FROM (
        SELECT 1 FROM vertex_transaction l
        JOIN transaction t ON t.network = l.network AND t.chain = 'x' AND t.tx_hash = l.tx_hash
        WHERE l.vertex_id = parent.id LIMIT :most::bigint) found) AS count
      FROM unnest(:vertices::bigint[]) WITH ORDINALITY AS parent(id, ordinal) ORDER BY parent.ordinal`,
  );
  const rows = await storage.read<{ count: number }>(count, bind(count, { vertices: vertexRowIds, most }));
  return rows.map((row) => row.count);
}

/** Whether a vertex names a transaction at a position. */
export async function vertexPositionExists(
  storage: Storage,
  vertexRowId: string,
  position: string,
): Promise<boolean> {
  const exists = statement(
    'vertex_position_exists',
    () =>
      'SELECT 1 FROM vertex_transaction WHERE vertex_id = :vertexRowId::bigint AND position = :position::bigint',
  );
  return storage.holds(exists, bind(exists, { vertexRowId, position }));
}

/** A page of the vertices that name a transaction. Cursors are row ids of vertices. */
export interface TransactionVertexPage extends NestedPage {
  network: Network;
  txHash: string;
}

/** Up to limit + 1 of the vertices that name each of several X-chain transactions, newest first. */
export async function listTransactionVertices(
  storage: Storage,
  pages: readonly [TransactionVertexPage, ...TransactionVertexPage[]],
): Promise<VertexRow[][]> {
  const [{ request }] = pages;
  const list = statement(`transaction_vertices_${keysetName('desc', request)}`, () => {
    const columns = ['v.timestamp', 'v.vertex_hash'];
    const { conditions, readingOrder } = keyset(
      columns,
      'desc',
      request,
      (cursor) => `(${cursor}_cursor.timestamp, ${cursor}_cursor.vertex_hash)`,
    );
    return `
      SELECT parent.ordinal::int AS ordinal, found.id, found.network, found.text
      FROM unnest(:networks::network[], :txHashes::text[], :afters::bigint[], :befores::bigint[])
        WITH ORDINALITY AS parent(network, tx_hash, after, before, ordinal)
      LEFT JOIN vertex after_cursor ON after_cursor.id = parent.after
      LEFT JOIN vertex before_cursor ON before_cursor.id = parent.before
      CROSS JOIN LATERAL (
        SELECT v.timestamp, v.vertex_hash, ${vertexColumns} FROM vertex v
        WHERE v.id IN (
          SELECT l.vertex_id FROM vertex_transaction l
          WHERE l.network = parent.network AND l.tx_hash = parent.tx_hash)${conditions}
        ORDER BY ${readingOrder} LIMIT :limit::bigint) found
      ORDER BY parent.ordinal, found.timestamp DESC, found.vertex_hash DESC`;
  });
  const rows = await storage.read<VertexRow & { ordinal: number }>(
    list,
    bind(list, {
      networks: pages.map((page) => page.network),
      txHashes: pages.map((page) => page.txHash),
      ...pageValues(pages),
    }),
  );
  return rowsByPage(rows, pages.length);
}

/** How many vertices name each of several X-chain transactions, each counted up to `most`. */
export async function countTransactionVertices(
  storage: Storage,
  transactions: readonly { network: Network; txHash: string }[],
  most: number,
): Promise<number[]> {
  const count = statement(
    'transaction_vertices_count',
    () => `
      SELECT (SELECT count(*)::int FROM (
        SELECT DISTINCT l.vertex_id FROM vertex_transaction l
        WHERE l.network = parent.network AND l.tx_hash = parent.tx_hash LIMIT :most::bigint) found) AS count
      FROM unnest(:networks::network[], :txHashes::text[]) WITH ORDINALITY AS parent(network, tx_hash, ordinal)
      ORDER BY parent.ordinal`,
  );
  const values = {
    networks: transactions.map((each) => each.network),
    txHashes: transactions.map((each) => each.txHash),
    most,
  };
  const rows = await storage.read<{ count: number }>(count, bind(count, values));
  return rows.map((row) => row.count);
}
