import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import type { ListOrder } from '../../paging/keyset.js';
import type { PageRequest } from '../../paging/page-request.js';
import type { Storage } from '../../storage/open.js';
import { bind, statement } from '../../storage/statement.js';
import { utxoColumns } from './columns.js';
import { utxoListStatement } from './list-statement.js';
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
    byAsset: query.assetId !== null,
    byMinimum: query.minimum > 0n,
  });
  const rows = await storage.read<UtxoRow>(
    statement,
    bind(statement, {
      network: query.network,
      chain: query.chain,
      // The empty address stands for every output of the network: see the model Address.
      addresses: query.addresses.length > 0 ? query.addresses : [''],
      assetId: query.assetId,
      minimum: query.minimum.toString(),
      states: query.includeSpent ? [false, true] : [false],
      limit: request.limit === null ? null : request.limit + 1,
      after: request.after,
      before: request.before,
    }),
  );
  return request.direction === 'backward' ? rows.reverse() : rows;
}

/** Whether a UTXO of this row id exists. */
export async function utxoExists(storage: Storage, id: string): Promise<boolean> {
  const exists = statement('utxo_exists', () => 'SELECT 1 FROM utxo WHERE id = :id::bigint');
  return (await storage.read(exists, bind(exists, { id }))).length > 0;
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
