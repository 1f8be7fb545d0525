import type { Network } from '../../avalanche/networks.js';
import { keyset, keysetName } from '../../paging/keyset.js';
import type { PageRequest } from '../../paging/page-request.js';
import type { Storage } from '../../storage/open.js';
import { bind, statement } from '../../storage/statement.js';
import { vertexColumns } from './columns.js';
import type { VertexRow } from './row.js';

/** What identifies a vertex. */
export interface VertexKey {
  network: Network;
  vertexHash: string;
}

const sortKey = ['v.timestamp', 'v.vertex_hash'];

/** Up to limit + 1 vertices of a network's X-chain, newest first. Cursors are row ids. */
export async function listVertices(
  storage: Storage,
  network: Network,
  request: PageRequest,
): Promise<VertexRow[]> {
  const list = statement(`vertices_${keysetName('desc', request)}`, () => {
    const { conditions, readingOrder } = keyset(
      sortKey,
      'desc',
      request,
      (cursor) => `(SELECT c.timestamp, c.vertex_hash FROM vertex c WHERE c.id = :${cursor}::bigint)`,
    );
    return `SELECT ${vertexColumns} FROM vertex v WHERE v.network = :network::network${conditions}
      ORDER BY ${readingOrder} LIMIT :limit::bigint`;
  });
  const limit = request.limit === null ? null : request.limit + 1;
  const rows = await storage.read<VertexRow>(list, bind(list, { ...request, network, limit }));
  return request.direction === 'backward' ? rows.reverse() : rows;
}

/** How many vertices a network has, counted up to `most`. */
export async function countVertices(storage: Storage, network: Network, most: number): Promise<number> {
  const count = statement(
    'vertices_count',
    () =>
      `SELECT count(*)::int AS count
       FROM (SELECT 1 FROM vertex WHERE network = :network::network LIMIT :most::bigint) found`,
  );
  const [row] = await storage.read<{ count: number }>(count, bind(count, { network, most }));
  return row?.count ?? 0;
}

/** Whether a vertex of this row id exists. */
export async function vertexExists(storage: Storage, id: string): Promise<boolean> {
  const exists = statement('vertex_exists', () => 'SELECT 1 FROM vertex WHERE id = :id::bigint');
  return storage.holds(exists, bind(exists, { id }));
}

/** Vertices by their natural key, in no particular order; those not held are missing. */
export function findVertices(
  storage: Storage,
  keys: readonly VertexKey[],
): Promise<(VertexRow & { vertexHash: string })[]> {
  const find = statement(
    'vertices_by_key',
    () => `
      SELECT row.*, wanted.vertex_hash AS "vertexHash"
      FROM unnest(:networks::network[], :hashes::text[]) AS wanted(network, vertex_hash)
      CROSS JOIN LATERAL (
        SELECT ${vertexColumns} FROM vertex v
        WHERE v.network = wanted.network AND v.vertex_hash = wanted.vertex_hash OFFSET 0) row`,
  );
  const values = { networks: keys.map((key) => key.network), hashes: keys.map((key) => key.vertexHash) };
  return storage.read(find, bind(find, values));
}
