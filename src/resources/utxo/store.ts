import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import type { ListOrder } from '../../paging/keyset.js';
import { pageValues, rowsByPage, type NestedPage } from '../../paging/nested-page.js';
import type { PageRequest } from '../../paging/page-request.js';
import type { Storage } from '../../storage/open.js';
import { bind, statement } from '../../storage/statement.js';
import { utxoColumns } from './columns.js';
import { utxoCountStatement, utxoListStatement } from './list-statement.js';
import { ownedCountStatement, ownedUtxosStatement } from './owned-statement.js';
import type { UtxoRow } from './row.js';

/** A list of UTXOs, resolved: defaults filled in, aliases and order of the addresses made one. */
export interface UtxoQuery {
  network: Network;
  chain: PrimaryChain;
  /** Without chain prefix, sorted, each once; empty lists the whole chain. */
  addresses: string[];
  /** Heeded on the X-chain alone. */
  assetId: string | null;
  /** Least amount in the asset's smallest unit, inclusive. */
  minimum: bigint;
  includeSpent: boolean;
  sortBy: 'timestamp' | 'amount';
  sortOrder: ListOrder;
}

/** Up to limit + 1 outputs of a list, in list order. Cursors are row ids. */
export async function listUtxos(
  storage: Storage,
  query: UtxoQuery,
  request: PageRequest,
): Promise<UtxoRow[]> {
  const statement = utxoListStatement({
    sortBy: query.sortBy,
    sortOrder: query.sortOrder,
    request,
    ...filtersOf(query),
  });
  const limit = request.limit === null ? null : request.limit + 1;
  const rows = await storage.read<UtxoRow>(
    statement,
    bind(statement, { ...filterValues(query), ...request, limit }),
  );
  return request.direction === 'backward' ? rows.reverse() : rows;
}

/**
 * How many outputs a list has. An output of several listed owners is read once for each of them, and `most` bounds
 * what is read.
 */
export async function countUtxos(
  storage: Storage,
  query: UtxoQuery,
  most: number,
): Promise<{ count: number; read: number }> {
  const count = utxoCountStatement(filtersOf(query));
  const [row] = await storage.read<{ count: number; read: number }>(
    count,
    bind(count, { ...filterValues(query), limit: most }),
  );
  return row ?? { count: 0, read: 0 };
}

/** A page of one address's list: `query` is that of the whole group of pages but for its addresses. */
export interface OwnedUtxoPage extends OwnedUtxos, NestedPage {}

export interface OwnedUtxos {
  query: UtxoQuery;
  address: string;
}

/** Up to limit + 1 outputs of each of several addresses, in list order, in one statement. */
export async function listOwnedUtxos(
  storage: Storage,
  pages: readonly [OwnedUtxoPage, ...OwnedUtxoPage[]],
): Promise<UtxoRow[][]> {
  const [{ query, request }] = pages;
  const { sortBy, sortOrder } = query;
  const list = ownedUtxosStatement({ sortBy, sortOrder, request, ...filtersOf(query) });
  const rows = await storage.read<UtxoRow & { ordinal: number }>(
    list,
    bind(list, {
      ...filterValues(query),
      addresses: pages.map((page) => page.address),
      ...pageValues(pages),
    }),
  );
  return rowsByPage(rows, pages.length);
}

/** How many outputs each of several addresses has, each counted up to `most`. */
export async function countOwnedUtxos(
  storage: Storage,
  lists: readonly [OwnedUtxos, ...OwnedUtxos[]],
  most: number,
): Promise<number[]> {
  const [{ query }] = lists;
  const count = ownedCountStatement(filtersOf(query));
  const values = { ...filterValues(query), addresses: lists.map((list) => list.address), limit: most };
  const rows = await storage.read<{ count: number }>(count, bind(count, values));
  return rows.map((row) => row.count);
}

function filtersOf(query: UtxoQuery) {
  return { byAsset: query.assetId !== null, byMinimum: query.minimum > 0n };
}

function filterValues({ network, chain, addresses, assetId, minimum, includeSpent }: UtxoQuery) {
  return {
    network,
    chain,
    // The empty address stands for every output of the network: see the model Address.
    addresses: addresses.length > 0 ? addresses : [''],
    assetId,
    minimum: minimum.toString(),
    states: includeSpent ? [false, true] : [false],
  };
}

/** Whether a UTXO of this row id exists. */
export async function utxoExists(storage: Storage, id: string): Promise<boolean> {
  const exists = statement('utxo_exists', () => 'SELECT 1 FROM utxo WHERE id = :id::bigint');
  return storage.holds(exists, bind(exists, { id }));
}

/** UTXOs by their natural key, in no particular order; those not held are missing. */
export async function findUtxos(
  storage: Storage,
  keys: readonly { network: Network; utxoId: string }[],
): Promise<(UtxoRow & { utxoId: string })[]> {
  const find = statement(
    'utxos_by_key',
    () => `
      SELECT row.*, wanted.utxo_id AS "utxoId"
      FROM unnest(:networks::network[], :utxoIds::text[]) AS wanted(network, utxo_id)
      CROSS JOIN LATERAL (
        SELECT ${utxoColumns} FROM utxo u JOIN asset a ON a.id = u.asset_row_id
        WHERE u.network = wanted.network AND u.utxo_id = wanted.utxo_id OFFSET 0) row`,
  );
  const values = { networks: keys.map((key) => key.network), utxoIds: keys.map((key) => key.utxoId) };
  return storage.read(find, bind(find, values));
}
