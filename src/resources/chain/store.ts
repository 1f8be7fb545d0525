import { EVM_MAX, type EvmChainName } from '../../avalanche/evm.js';
import { keyset, keysetName } from '../../paging/keyset.js';
import type { PageRequest } from '../../paging/page-request.js';
import type { Storage } from '../../storage/open.js';
import { bind, statement } from '../../storage/statement.js';
import { chainColumns } from './columns.js';
import type { ChainFeature, ChainRow } from './row.js';

/** A list of chains, by rising EVM id. */
export interface ChainQuery {
  /** Only test chains, or none of them; null lists both. */
  isTestnet: boolean | null;
  /** Only chains with this feature; null lists all. */
  feature: ChainFeature | null;
}

const filter = `(:isTestnet::boolean IS NULL OR c.is_testnet = :isTestnet)
  AND (:feature::text IS NULL OR :feature = ANY(c.enabled_features))`;

/** Up to limit + 1 chains of a list, in list order. Cursors are row ids. */
export async function listChains(
  storage: Storage,
  query: ChainQuery,
  request: PageRequest,
): Promise<ChainRow[]> {
  const list = statement(`chains_${keysetName('asc', request)}`, () => {
    const { conditions, readingOrder } = keyset(
      ['c.evm_chain_id'],
      'asc',
      request,
      (cursor) => `(SELECT p.evm_chain_id FROM chain p WHERE p.id = :${cursor}::integer)`,
    );
    return `SELECT ${chainColumns} FROM chain c WHERE ${filter}${conditions}
      ORDER BY ${readingOrder} LIMIT :limit::bigint`;
  });
  const limit = request.limit === null ? null : request.limit + 1;
  const rows = await storage.read<ChainRow>(list, bind(list, { ...query, ...request, limit }));
  return request.direction === 'backward' ? rows.reverse() : rows;
}

/** How many chains a list has, counted up to `most`. */
export async function countChains(storage: Storage, query: ChainQuery, most: number): Promise<number> {
  const count = statement(
    'chains_count',
    () =>
      `SELECT count(*)::int AS count FROM (SELECT 1 FROM chain c WHERE ${filter} LIMIT :most::bigint) found`,
  );
  const [row] = await storage.read<{ count: number }>(count, bind(count, { ...query, most }));
  return row?.count ?? 0;
}

/** Whether a chain of this row id exists. */
export async function chainExists(storage: Storage, id: string): Promise<boolean> {
  const exists = statement('chain_exists', () => 'SELECT 1 FROM chain WHERE id = :id::bigint');
  return storage.holds(exists, bind(exists, { id }));
}

/**
 * Chains by EVM or blockchain id. Of several chains with one blockchain id the one with the smallest EVM id.
 *
 * @returns for each name, in the order given, its chain; null when it is not held
 */
export async function findChains(
  storage: Storage,
  names: readonly EvmChainName[],
): Promise<(ChainRow | null)[]> {
  const find = statement(
    'chains_by_name',
    () => `
      SELECT wanted.ordinal::int AS ordinal, row.*
      FROM unnest(:evmIds::bigint[], :blockchainIds::text[])
        WITH ORDINALITY AS wanted(evm_id, blockchain_id, ordinal)
      CROSS JOIN LATERAL (
        SELECT ${chainColumns} FROM chain c
        WHERE c.evm_chain_id = wanted.evm_id OR c.blockchain_id = wanted.blockchain_id
        ORDER BY c.evm_chain_id LIMIT 1) row`,
  );
  const values = {
    evmIds: names.map((name) =>
      'evmChainId' in name && BigInt(name.evmChainId) <= EVM_MAX ? name.evmChainId : null,
    ),
    blockchainIds: names.map((name) => ('blockchainId' in name ? name.blockchainId : null)),
  };
  const rows = await storage.read<ChainRow & { ordinal: number }>(find, bind(find, values));
  const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
  return names.map((_name, index) => byOrdinal.get(index + 1) ?? null);
}
