import type { Network } from '../../avalanche/networks.js';
import { defineFind } from '../../lists/find.js';
import { sortedBy } from '../../lists/order.js';
import { defineList } from '../../lists/read.js';
import { transactionRows, type TransactionNode, type TransactionRow } from '../transaction/fields.js';
import type { ListOrder } from '../../paging/keyset.js';
import type { VertexNarrowing, VertexQuery } from './arguments.js';
import { vertexRows, type VertexNode } from './fields.js';

const byTime = (direction: ListOrder) =>
  sortedBy('v', direction, ['timestamp', 'height', 'vertex_hash'], {
    moves: [0, 1],
    resorted: 'o.network = c.network AND o.timestamp = c.timestamp',
  });
const newestFirst = byTime('desc');
const vertexCursor = { table: 'vertex' };

/** The vertices of a network's X-chain. Cursors are row ids. */
export const vertexList = defineList<VertexQuery, VertexNode, VertexNarrowing>({
  name: 'vertices',
  values: { network: 'network', vertexHeight: 'bigint' },
  ...vertexRows,
  where: (value) => `v.network = ${value('network')}`,
  filters: { vertexHeight: { sql: (value) => `v.height = ${value('vertexHeight')}` } },
  order: ({ sortOrder }) => byTime(sortOrder),
  cursor: vertexCursor,
});

/** The vertices that name an X-chain transaction. Cursors are row ids. */
export const transactionVertexList = defineList<{ network: Network; txHash: string }, VertexNode, never>({
  name: 'transaction_vertices',
  values: { network: 'network', txHash: 'text' },
  parent: ['network', 'txHash'],
  ...vertexRows,
  where: (value) => `v.id IN (
    SELECT l.vertex_id FROM vertex_transaction l
    WHERE l.network = ${value('network')} AND l.tx_hash = ${value('txHash')})`,
  order: newestFirst,
  cursor: vertexCursor,
});

/** The stored parents of a vertex, in its own order. Cursors are positions. */
export const parentVertexList = defineList<{ vertexRowId: string }, VertexNode, never>({
  name: 'vertex_parents',
  values: { vertexRowId: 'bigint' },
  parent: ['vertexRowId'],
  from: `vertex child CROSS JOIN LATERAL unnest(child.parent_hashes) WITH ORDINALITY AS l(hash, position)
    JOIN vertex v ON v.network = child.network AND v.vertex_hash = l.hash`,
  where: (value) => `child.id = ${value('vertexRowId')}`,
  columns: { ...vertexRows.columns, id: 'l.position::text', vertexId: 'v.id' },
  toNode: (row: { text: string; vertexId: string }) => vertexRows.toNode({ ...row, id: row.vertexId }),
  order: { name: '', direction: 'asc', columns: ['l.position'] },
});

/**
 * The vertices that name a vertex as a parent. Cursors are row ids. The fence (OFFSET 0) keeps the planner
 * from reading all vertices by time to find these few; the collation is that of the index, which a column's
 * own would replace.
 */
export const childVertexList = defineList<{ network: Network; vertexHash: string }, VertexNode, never>({
  name: 'vertex_children',
  values: { network: 'network', vertexHash: 'text' },
  parent: ['network', 'vertexHash'],
  ...vertexRows,
  from: (value) => `(
    SELECT * FROM vertex child WHERE child.network = ${value('network')}
      AND child.parent_hashes @> ARRAY[${value('vertexHash')} COLLATE "default"] OFFSET 0) v`,
  where: () => 'true',
  order: newestFirst,
  cursor: vertexCursor,
});

/** The stored transactions of a vertex, in its own order. Cursors are positions. */
export const vertexTransactionList = defineList<{ vertexRowId: string }, TransactionNode, never>({
  name: 'vertex_transactions',
  values: { vertexRowId: 'bigint' },
  parent: ['vertexRowId'],
  from: `vertex_transaction l
    JOIN transaction t ON t.network = l.network AND t.chain = 'x' AND t.tx_hash = l.tx_hash`,
  where: (value) => `l.vertex_id = ${value('vertexRowId')}`,
  columns: { ...transactionRows.columns, id: 'l.position::text', transactionId: 't.id' },
  toNode: (row: TransactionRow & { transactionId: string }) =>
    transactionRows.toNode({ ...row, id: row.transactionId }),
  order: sortedBy('l', 'asc', ['position']),
  cursor: {
    table: 'vertex_transaction',
    at: (alias, position, value) =>
      `${alias}.vertex_id = ${value('vertexRowId')} AND ${alias}.position = ${position}`,
  },
});

export interface VertexKey {
  network: Network;
  vertexHash: string;
}

export const findVertices = defineFind<VertexKey, VertexNode>('vertices_by_key', vertexRows, {
  network: ['network', 'v.network'],
  vertexHash: ['text', 'v.vertex_hash'],
});
