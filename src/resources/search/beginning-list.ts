import type { Network } from '../../avalanche/networks.js';
import type { Beginning } from '../../avalanche/text/beginning.js';
import type { Reader } from '../../storage/reader.js';
import { bind, statement, type CompiledStatement } from '../../storage/statement.js';
import { indexedHash } from '../block/query.js';
import type { SearchKind } from './fields.js';

/** An id that is stored, and what it is. */
export interface FoundId {
  kind: SearchKind;
  /** Null of an EVM address, which is of no one chain. */
  network: Network | null;
  /** As replies write it. */
  value: string;
}

/** Most ids of a table on a chain that are read if an end is given too, for which no index is. */
export const MOST_READ = 1000;

/**
 * Ids from a beginning on. Up to the beginning and some `z`, which is the last character of all forms of ids
 * in any order of characters: so the range is that of the beginning whatever the collation of the index, but
 * for ids that differ from it in capitals, which are left out afterwards.
 */
export const inRange = (id: string) => `${id} >= :start::text AND ${id} <= :start::text || 'zzzzzzzz'`;

const onNetworks = (kind: SearchKind, table: string, id: string) => `
  SELECT '${kind}' AS kind, n.network, found.id COLLATE "C" AS id FROM unnest(:networks::network[]) AS n(network)
  CROSS JOIN LATERAL (
    SELECT t.${id} AS id FROM ${table} WHERE t.network = n.network AND ${inRange(`t.${id}`)}
    ORDER BY t.${id} LIMIT :most) found`;

export const blocksOn = (chains: string) => `
  SELECT 'BLOCK' AS kind, n.network, found.id COLLATE "C" AS id FROM unnest(:networks::network[]) AS n(network)
  CROSS JOIN unnest('{${chains}}'::primary_chain[]) AS c(chain)
  CROSS JOIN LATERAL (
    SELECT b.hash AS id FROM block b
    WHERE b.network = n.network AND b.chain = c.chain AND ${indexedHash('b.hash')} = ${indexedHash(':start::text')}
      AND starts_with(b.hash, :start::text)
    ORDER BY b.hash LIMIT :most) found`;

/** The ids of several selects that end so, in the order of code units. */
export const ending = (union: readonly string[]) => `
  SELECT DISTINCT kind, network::text AS network, id AS value FROM (${union.join(' UNION ALL ')}) all_ids
  WHERE starts_with(id, :start::text) AND right(id, length(:end::text)) = :end::text
  ORDER BY 3, 1, 2 LIMIT :shown`;

const idsOf: Readonly<Record<Beginning['of'], CompiledStatement | null>> = {
  id: statement(
    'search_ids_from',
    ending([
      `SELECT 'TRANSACTION' AS kind, n.network, found.id COLLATE "C" AS id FROM unnest(:networks::network[]) AS n(network)
       CROSS JOIN unnest(enum_range(NULL::primary_chain)) AS c(chain)
       CROSS JOIN LATERAL (
         SELECT t.tx_hash AS id FROM transaction t
         WHERE t.network = n.network AND t.chain = c.chain AND ${inRange('t.tx_hash')}
         ORDER BY t.tx_hash LIMIT :most) found`,
      blocksOn('p,x'),
      onNetworks('VERTEX', 'vertex t', 'vertex_hash'),
      onNetworks('UTXO', 'utxo t', 'utxo_id'),
      onNetworks('ASSET', 'asset t', 'asset_id'),
      onNetworks('SUBNET', 'subnet t', 'subnet_id'),
      onNetworks('L1_VALIDATOR', 'l1_validator t', 'validation_id'),
      `SELECT 'BLOCKCHAIN' AS kind, found.network, found.id COLLATE "C" AS id FROM (
         SELECT CASE WHEN c.is_testnet THEN 'fuji' ELSE 'mainnet' END::network AS network, c.blockchain_id AS id
         FROM chain c WHERE ${inRange('c.blockchain_id')} ORDER BY c.blockchain_id LIMIT :most) found
       WHERE found.network = ANY (:networks::network[])`,
    ]),
  ),
  node: statement('search_nodes_from', ending([onNetworks('VALIDATOR', 'validator t', 'node_id')])),
  address: statement('search_addresses_from', ending([onNetworks('ADDRESS', 'address t', 'address')])),
  // See hex-list.ts.
  hex: null,
};

/**
 * The stored ids that begin and end so, by id, of the primary network.
 *
 * @param shown most of them
 */
export async function readIdsFrom(
  storage: Reader,
  beginning: Beginning,
  networks: readonly Network[],
  shown: number,
): Promise<FoundId[]> {
  const read = idsOf[beginning.of];
  if (!read) return [];
  const { start, end } = beginning;
  const of = beginning.of === 'address' ? networks.filter((each) => each === beginning.network) : networks;
  const most = end === '' ? shown : MOST_READ;
  return storage.read(read, bind(read, { start, end, networks: of, most, shown }));
}
