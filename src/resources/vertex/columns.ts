import { jsonText, type JsonField } from '../../storage/json-text.js';

/** The fields of a vertex's JSON, over `vertex v`. */
export const vertexFields: readonly JsonField[] = [
  { name: 'vertexHash', form: 'plain', sql: 'v.vertex_hash' },
  { name: 'parentHashes', form: 'json', sql: 'to_json(v.parent_hashes)::text' },
  { name: 'vertexHeight', form: 'number', sql: 'v.height' },
  { name: 'vertexIndex', form: 'number', sql: 'v.index' },
  { name: 'vertexTimestamp', form: 'number', sql: 'v.timestamp' },
  { name: 'txCount', form: 'number', sql: 'v.tx_count' },
  {
    name: 'transactions',
    form: 'json',
    sql: `coalesce((SELECT json_agg(l.tx_hash ORDER BY l.position)::text FROM vertex_transaction l WHERE l.vertex_id = v.id), '[]')`,
  },
  { name: 'vertexSizeBytes', form: 'number', sql: 'v.size_bytes' },
];

/** The columns of a VertexRow, over `vertex v`. */
export const vertexColumns = `v.id, v.network, ${jsonText(vertexFields)} AS text`;
