import type { Reader } from '../../storage/reader.js';
import { MOST_STATEMENT_BYTES } from '../../storage/reply-bytes.js';
import type { Connection } from '../../storage/session.js';
import { bind, statement } from '../../storage/statement.js';
import type { HolderQuery } from './holders.js';

/** The present state of a query's rows. */
export interface HoldingVersion {
  /** Null when nothing of the holding is stored. */
  holdingId: number | null;
  /** Changes whenever a row that the query may depend on does; empty while there is none. */
  version: string;
}

/**
 * The answer of a query: the ids that are in `included` and not in `excluded`, in any order, perhaps
 * repeated.
 */
export interface Holders {
  included: Uint32Array;
  excluded: Uint32Array;
}

const holdingVersions = statement(
  'evm_holding_versions',
  `
    SELECT holding.id AS "holdingId", coalesce(latest.version::text, '') AS version
    FROM unnest(:chains::bigint[], :kinds::evm_holding_kind[], :contracts::text[], :days::int[])
      WITH ORDINALITY AS wanted(chain, kind, contract, day, ordinal)
    LEFT JOIN evm_holding holding ON holding.evm_chain_id = wanted.chain AND holding.kind = wanted.kind
      AND holding.contract = decode(wanted.contract, 'hex')
    LEFT JOIN LATERAL (
      SELECT version FROM evm_holding_version changed
      WHERE changed.holding_id = holding.id AND changed.from_day <= wanted.day
      ORDER BY changed.from_day DESC LIMIT 1) latest ON true
    ORDER BY wanted.ordinal`,
);

function versionValues(queries: readonly HolderQuery[]): Record<string, unknown> {
  return {
    chains: queries.map(({ holding }) => holding.evmChainId.toString()),
    kinds: queries.map(({ holding }) => holding.kind),
    contracts: queries.map(({ holding }) => holding.contract),
    days: queries.map(({ throughDay }) => throughDay),
  };
}

/** The versions of the queries' data, in their order, all from one snapshot. */
export function readVersions(storage: Reader, queries: readonly HolderQuery[]): Promise<HoldingVersion[]> {
  return storage.read(holdingVersions, bind(holdingVersions, versionValues(queries)));
}

/** A snapshot of the database, kept by a transaction on its own connection. */
export interface Snapshot {
  versions(queries: readonly HolderQuery[]): Promise<HoldingVersion[]>;
  /**
   * Evaluates a query.
   *
   * @param timeLimit milliseconds after which PostgreSQL cancels it
   * @throws what pg throws; code 57014 for one that was cancelled
   */
  holders(query: HolderQuery, holdingId: number, timeLimit: number): Promise<Holders>;
}

/** Runs `work` on one snapshot of the database. */
export function onSnapshot<T>(storage: Reader, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return storage.snapshot((connection) => work(snapshotOn(connection)));
}

function snapshotOn(connection: Connection): Snapshot {
  return {
    async versions(queries) {
      const { name, text } = holdingVersions;
      const values = bind(holdingVersions, versionValues(queries));
      return (await connection.query<HoldingVersion>({ name, text, values })).rows;
    },
    async holders(query, holdingId, timeLimit) {
      // The plan depends on the days and the minimum, and planning is cheap compared to the scan: so it has
      // no name and no generic plan.
      await connection.query(
        `SET LOCAL statement_timeout = ${Math.max(1, Math.ceil(timeLimit))}; SET LOCAL plan_cache_mode = auto`,
      );
      const { rows } = await connection.query<{ included: Buffer | null; excluded: Buffer | null }>({
        ...query.statement(holdingId),
        // Sets, which are no reply: 8 bytes for each address.
        mostBytes: MOST_STATEMENT_BYTES,
      });
      return { included: toIds(rows[0]?.included), excluded: toIds(rows[0]?.excluded) };
    },
  };
}

/** The numbers behind int4send's bytes, which are big-endian. */
function toIds(bytes: Buffer | null | undefined): Uint32Array {
  const ids = new Uint32Array((bytes?.length ?? 0) / 4);
  if (!bytes) return ids;
  const own = Buffer.from(ids.buffer);
  bytes.copy(own);
  own.swap32();
  return ids;
}

const addressesById = statement(
  'evm_addresses_by_id',
  'SELECT id, checksummed AS address FROM evm_address WHERE id = ANY(:ids::int[]) ORDER BY id',
);

/** Addresses by their ids, checksummed, in the order of the ids. */
export async function findAddresses(
  storage: Reader,
  ids: readonly number[],
): Promise<{ id: number; address: string }[]> {
  if (ids.length === 0) return [];
  return storage.read(addressesById, bind(addressesById, { ids }));
}
