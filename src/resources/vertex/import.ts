import type pg from 'pg';
import type { Network } from '../../avalanche/networks.js';
import { asId, asList, asObject, asRowId, asWhole, INT64_MAX, wrong } from '../../ingest/check.js';
import type { ImportKind } from '../../ingest/kind.js';
import { IngestError } from '../../ingest/errors.js';
import { primaryScope, type PrimaryScope } from '../../ingest/scope.js';
import { upsertRows, withIds } from '../../ingest/upsert.js';

/** A vertex of an import row; numbers as decimal texts. */
export interface ImportVertex {
  vertexHash: string;
  parentHashes: string[];
  height: string;
  index: string;
  timestamp: string;
  txCount: string;
  transactions: string[];
  sizeBytes: string;
  /** The id that it had where it was exported. */
  rowId: string | null;
}

const asLong = asWhole(INT64_MAX);
const asIds = asList(asId);

/** Files of vertices of the X-chain. */
export const vertexImport: ImportKind<ImportVertex, PrimaryScope> = {
  name: 'vertices',
  file: /^(?<network>[a-z]+)\.(?<chain>[pxc])-chain\.vertices(?:\.|$)/,
  example: 'mainnet.x-chain.vertices.ndjson',
  tables: ['vertex', 'vertex_transaction'],
  scope(parts) {
    const scope = primaryScope(parts);
    if (scope.chain !== 'x') throw new IngestError('only the X-chain had vertices; --chain takes x');
    return scope;
  },
  read(value) {
    const row = asObject(value, 'the line');
    const transactions = asIds(row.transactions, 'transactions');
    if (new Set(transactions).size < transactions.length)
      throw wrong('transactions', row.transactions, 'a list of different hashes');
    return {
      vertexHash: asId(row.vertexHash, 'vertexHash'),
      parentHashes: asIds(row.parentHashes, 'parentHashes'),
      height: asLong(row.vertexHeight, 'vertexHeight'),
      index: asLong(row.vertexIndex, 'vertexIndex'),
      timestamp: asLong(row.vertexTimestamp, 'vertexTimestamp'),
      txCount: asLong(row.txCount, 'txCount'),
      transactions,
      sizeBytes: asLong(row.vertexSizeBytes, 'vertexSizeBytes'),
      rowId: asRowId(row.rowId),
    };
  },
  async write(client, scope, rows) {
    const vertices = [...new Map(rows.map((row) => [row.vertexHash, row])).values()];
    const { inserted, updated } = await writeVertices(client, scope, vertices);
    const linksChanged = await writeLinks(client, scope.network, vertices);
    const written = Math.max(inserted + updated, linksChanged ? 1 : 0);
    return { written, unchanged: rows.length - written };
  },
};

function writeVertices(
  client: pg.ClientBase,
  { network, keepsInstallation }: PrimaryScope,
  vertices: readonly ImportVertex[],
) {
  const table = {
    name: 'vertex',
    columns: {
      network: 'network',
      vertex_hash: 'text COLLATE "C"',
      parent_hashes: 'text[]',
      height: 'bigint',
      index: 'bigint',
      timestamp: 'bigint',
      tx_count: 'bigint',
      size_bytes: 'bigint',
    },
    key: ['network', 'vertex_hash'],
  };
  return upsertRows(
    client,
    withIds(table, keepsInstallation),
    vertices.map((vertex) => [
      network,
      vertex.vertexHash,
      vertex.parentHashes,
      vertex.height,
      vertex.index,
      vertex.timestamp,
      vertex.txCount,
      vertex.sizeBytes,
      ...(keepsInstallation ? [vertex.rowId] : []),
    ]),
  );
}

async function writeLinks(
  client: pg.ClientBase,
  network: Network,
  vertices: readonly ImportVertex[],
): Promise<boolean> {
  const { rows: held } = await client.query<{ id: string; hash: string }>(
    'SELECT id, vertex_hash AS hash FROM vertex WHERE network = $1 AND vertex_hash = ANY($2)',
    [network, vertices.map((vertex) => vertex.vertexHash)],
  );
  const byHash = new Map(vertices.map((vertex) => [vertex.vertexHash, vertex.transactions]));
  const links = held.map(({ id, hash }) => ({ id, txHashes: byHash.get(hash) ?? [] }));
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
