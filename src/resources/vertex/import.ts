import type { Batch } from '../../storage/session.js';
import type { Network } from '../../avalanche/networks.js';
import { columnTypes, isEmptyList, recordMerger, recordReader } from '../../fields/column.js';
import { MOST_OF_VERTEX } from '../../rows/bounds.js';
import { asId, asList, asObject, asRowId, wrong } from '../../rows/check.js';
import type { RowKind } from '../../write/kind.js';
import type { FileKind } from '../../ingest/kind.js';
import { IngestError } from '../../ingest/errors.js';
import { primaryScope } from '../../ingest/scope.js';
import type { PrimaryScope } from '../../write/scope.js';
import { upsertRows, withIds } from '../../write/upsert.js';
import { vertexFields, type VertexColumns, type VertexNode } from './fields.js';

export type VertexLine = Omit<VertexNode, 'network' | 'rowId' | 'text'> & Partial<Pick<VertexNode, 'rowId'>>;

/** A vertex of an import row. */
export interface ImportVertex {
  record: VertexColumns;
  transactions: string[];
  /** Its id in the installation that exported it. */
  rowId: string | null;
}

const readColumns = recordReader(vertexFields);
const mergeColumns = recordMerger(vertexFields);
const asIds = asList(asId, MOST_OF_VERTEX);

/** Vertices of the X-chain, with the hashes of their transactions. */
export const vertexRows: RowKind<ImportVertex, PrimaryScope> = {
  tables: ['vertex', 'vertex_transaction'],
  lock: ({ network }) => network,
  read(value) {
    const row = asObject<VertexLine>(value, 'the line');
    const transactions = asIds(row.transactions, 'transactions');
    if (new Set(transactions).size < transactions.length)
      throw wrong('transactions', row.transactions, 'a list of different hashes');
    return { record: readColumns(row, undefined), transactions, rowId: asRowId(row.rowId) };
  },
  async write(client, scope, rows) {
    const vertices = await withParents(client, scope.network, lastOfEach(rows));
    const { inserted, updated } = await writeVertices(client, scope, vertices);
    const linksChanged = await writeLinks(client, scope.network, vertices);
    const written = Math.max(inserted + updated, linksChanged ? 1 : 0);
    return { written, unchanged: rows.length - written };
  },
};

export const vertexImport: FileKind<ImportVertex, PrimaryScope> = {
  name: 'vertices',
  file: /^(?<network>[a-z]+)\.(?<chain>[pxc])-chain\.vertices(?:\.|$)/,
  example: 'mainnet.x-chain.vertices.ndjson',
  page: 'vertices',
  scope(fields) {
    const scope = primaryScope(fields);
    if (scope.chain !== 'x') throw new IngestError('only the X-chain had vertices; --chain takes x');
    return scope;
  },
  rows: vertexRows,
};

/** Of several rows of one vertex the last, with parents and transactions of the last row that has any. */
function lastOfEach(rows: readonly ImportVertex[]): ImportVertex[] {
  const vertices = new Map<string, ImportVertex>();
  for (const row of rows) {
    const earlier = vertices.get(row.record.vertex_hash);
    const transactions = row.transactions.length > 0 ? row.transactions : (earlier?.transactions ?? []);
    const record = earlier ? mergeColumns(earlier.record, row.record) : row.record;
    vertices.set(record.vertex_hash, { ...row, record, transactions });
  }
  return [...vertices.values()];
}

/** The vertices; those without parents get the stored ones: the first vertex of all has none. */
async function withParents(
  client: Batch,
  network: Network,
  vertices: readonly ImportVertex[],
): Promise<readonly ImportVertex[]> {
  const orphans = vertices.filter(({ record }) => isEmptyList(record.parent_hashes));
  if (orphans.length === 0) return vertices;
  const { rows } = await client.query<Pick<VertexColumns, 'vertex_hash' | 'parent_hashes'>>(
    'SELECT vertex_hash, parent_hashes FROM vertex WHERE network = $1 AND vertex_hash = ANY($2)',
    [network, orphans.map(({ record }) => record.vertex_hash)],
  );
  const stored = new Map(rows.map((row) => [row.vertex_hash, row]));
  return vertices.map((vertex) => {
    const known = stored.get(vertex.record.vertex_hash);
    return known ? { ...vertex, record: { ...vertex.record, ...known } } : vertex;
  });
}

function writeVertices(
  client: Batch,
  { network, keepsInstallation }: PrimaryScope,
  vertices: readonly ImportVertex[],
) {
  const columns = columnTypes(vertexFields);
  const names = Object.keys(columns) as (keyof VertexColumns)[];
  const table = {
    name: 'vertex',
    columns: { network: 'network', ...columns },
    key: ['network', 'vertex_hash'],
  };
  return upsertRows(
    client,
    withIds(table, keepsInstallation),
    vertices.map(({ record, rowId }) => [
      network,
      ...names.map((name) => record[name]),
      ...(keepsInstallation ? [rowId] : []),
    ]),
  );
}

async function writeLinks(
  client: Batch,
  network: Network,
  vertices: readonly ImportVertex[],
): Promise<boolean> {
  const { rows: stored } = await client.query<{ id: string; hash: string }>(
    'SELECT id, vertex_hash AS hash FROM vertex WHERE network = $1 AND vertex_hash = ANY($2)',
    [network, vertices.map(({ record }) => record.vertex_hash)],
  );
  const byHash = new Map(vertices.map(({ record, transactions }) => [record.vertex_hash, transactions]));
  const links = stored
    .map(({ id, hash }) => ({ id, txHashes: byHash.get(hash) ?? [] }))
    // Every vertex has transactions; a row without any does not know them.
    .filter(({ txHashes }) => txHashes.length > 0);
  const table = {
    name: 'vertex_transaction',
    columns: { vertex_id: 'bigint', position: 'integer', network: 'network', tx_hash: 'text' },
    key: ['vertex_id', 'position'],
  };
  const { inserted, updated } = await upsertRows(
    client,
    table,
    links.flatMap(({ id, txHashes }) => txHashes.map((txHash, position) => [id, position, network, txHash])),
  );
  const { rowCount: deleted } = await client.query(
    `DELETE FROM vertex_transaction l USING unnest($1::bigint[], $2::int[]) AS kept(id, count)
     WHERE l.vertex_id = kept.id AND l.position >= kept.count`,
    [links.map(({ id }) => id), links.map(({ txHashes }) => txHashes.length)],
  );
  return inserted + updated + (deleted ?? 0) > 0;
}
