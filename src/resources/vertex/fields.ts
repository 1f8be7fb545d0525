import type { Network } from '../../avalanche/networks.js';
import { columnOf, type RecordOf } from '../../fields/column.js';
import { fieldsText, id, ids, is, whole, type Fields, type NodeOf } from '../../fields/field.js';
import { MOST_PARENTS } from '../../rows/bounds.js';
import { asId, asList, asSeconds, asWhole, INT64_MAX } from '../../rows/check.js';
import { nodeWith } from '../../fields/node.js';
import type { NodeSource } from '../../lists/list.js';

const asLong = asWhole(INT64_MAX);
const asIds = asList(asId, MOST_PARENTS);
const v = <const Name extends string, T>(
  name: Name,
  type: string,
  read: (value: unknown, name: string) => T,
) => columnOf('v', name, type, read);

/** The fields of a vertex in the order of its JSON, over `vertex v`. */
export const vertexFields = {
  vertexHash: {
    ...v('vertex_hash', 'text', asId),
    ...is(id, 'Hash of the vertex, CB58'),
  },
  parentHashes: {
    ...v('parent_hashes', 'text[]', asIds),
    sql: 'to_json(v.parent_hashes)::text',
    ...is(ids, 'Hashes of the vertices that it builds on, CB58'),
  },
  vertexHeight: {
    ...v('height', 'bigint', asLong),
    ...is(whole, 'One more than the height of its highest parent'),
  },
  vertexIndex: {
    ...v('index', 'bigint', asLong),
    ...is(whole, 'Its index on the X-chain; if it was followed, its position in the index of that node'),
  },
  vertexTimestamp: {
    ...v('timestamp', 'bigint', asSeconds),
    ...is(whole, 'When it was accepted, Unix seconds; 0 where unknown'),
  },
  txCount: { ...v('tx_count', 'bigint', asLong), ...is(whole, 'Number of its transactions') },
  transactions: {
    sql: `coalesce((SELECT json_agg(l.tx_hash ORDER BY l.position)::text FROM vertex_transaction l WHERE l.vertex_id = v.id), '[]')`,
    ...is(ids, 'Hashes of its transactions, in the order of the vertex, CB58, indexed or not'),
    // In GraphQL `transactions` are the transactions themselves.
    graphql: 'txHashes',
  },
  vertexSizeBytes: { ...v('size_bytes', 'bigint', asLong), ...is(whole, 'Encoded size, bytes') },
} satisfies Fields;

/** The columns that are read from a row of an import. */
export type VertexColumns = RecordOf<typeof vertexFields>;

export type VertexNode = NodeOf<typeof vertexFields> & {
  rowId: string;
  network: Network;
  /** The row's JSON text, for REST. */
  text: string;
};

export const vertexRows = {
  from: 'vertex v',
  columns: { id: 'v.id', network: 'v.network', text: fieldsText(vertexFields) },
  toNode: nodeWith('network', 'text'),
} satisfies NodeSource<VertexNode>;

export const vertexKeys = { rowId: 'v.id', network: 'v.network', vertexHash: 'v.vertex_hash' };
