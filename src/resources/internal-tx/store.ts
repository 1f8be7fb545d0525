import { toBytea } from '../../avalanche/evm.js';
import { keyset, keysetName } from '../../paging/keyset.js';
import { rowsByPage, type NestedPage } from '../../paging/nested-page.js';
import type { Storage } from '../../storage/open.js';
import { bind, statement } from '../../storage/statement.js';
import { internalTxColumns } from './columns.js';
import type { InternalTxRow } from './row.js';

/** The internal transactions of an address on a chain, newest first. */
export interface InternalTxQuery {
  evmChainId: string;
  /** Hexadecimal with 0x. */
  address: string;
  /** Inclusive; within PostgreSQL's bigint. */
  startBlock: bigint;
  /** Exclusive; within PostgreSQL's bigint. */
  endBlock: bigint;
}

/** A page of such a list. Cursors are row ids. */
export type InternalTxPage = InternalTxQuery & NestedPage;

const columns = ['block_number', 'tx_hash', 'position', 'tie'];
const of = (table: string) => columns.map((column) => `${table}.${column}`);

// What the address sent, and what it received from others: a frame from an address to itself is in the first.
// Two ranges, each of one index, stay cheap where a condition on either column would not.
const sides = [
  'i.from_address = parent.address',
  'i.to_address = parent.address AND i.to_address <> i.from_address',
];

const parents = `unnest(:chains::bigint[], :addresses::bytea[], :starts::bigint[], :ends::bigint[]`;
const range = `i.evm_chain_id = parent.chain AND i.block_number >= parent.start AND i.block_number < parent.stop`;

/** Up to limit + 1 internal transactions of each of several lists, in list order, in one statement. */
export async function listInternalTxs(
  storage: Storage,
  pages: readonly [InternalTxPage, ...InternalTxPage[]],
): Promise<InternalTxRow[][]> {
  const [{ request }] = pages;
  const list = statement(`internal_txs_${keysetName('desc', request)}`, () => {
    const position = (cursor: string) => `(${of(`${cursor}_cursor`).join(', ')})`;
    const { conditions, readingOrder } = keyset(of('i'), 'desc', request, position);
    const outer = keyset(of('entry'), 'desc', request, position).readingOrder;
    const branches = sides.map(
      (
        side,
      ) => `(SELECT ${of('i').join(', ')}, i.id FROM internal_tx i WHERE ${range} AND ${side}${conditions}
        ORDER BY ${readingOrder} LIMIT :limit::bigint)`,
    );
    return `
      SELECT parent.ordinal::int AS ordinal, row.*
      FROM ${parents}, :afters::bigint[], :befores::bigint[])
        WITH ORDINALITY AS parent(chain, address, start, stop, after, before, ordinal)
      LEFT JOIN internal_tx after_cursor ON after_cursor.id = parent.after
      LEFT JOIN internal_tx before_cursor ON before_cursor.id = parent.before
      CROSS JOIN LATERAL (
        SELECT * FROM (${branches.join(' UNION ALL ')}) entry ORDER BY ${outer} LIMIT :limit::bigint) page
      CROSS JOIN LATERAL (SELECT ${internalTxColumns} FROM internal_tx i WHERE i.id = page.id OFFSET 0) row
      ORDER BY parent.ordinal, ${of('page')
        .map((column) => `${column} DESC`)
        .join(', ')}`;
  });
  const rows = await storage.read<InternalTxRow & { ordinal: number }>(
    list,
    bind(list, {
      ...parentValues(pages),
      afters: pages.map((page) => page.request.after),
      befores: pages.map((page) => page.request.before),
      limit: request.limit === null ? null : request.limit + 1,
    }),
  );
  return rowsByPage(rows, pages.length);
}

/** How many internal transactions each of several lists has, each counted up to `most`. */
export async function countInternalTxs(
  storage: Storage,
  queries: readonly InternalTxQuery[],
  most: number,
): Promise<number[]> {
  const count = statement('internal_txs_count', () => {
    const branches = sides.map(
      (side) => `(SELECT 1 FROM internal_tx i WHERE ${range} AND ${side} LIMIT :most::bigint)`,
    );
    return `
      SELECT (SELECT count(*)::int FROM (SELECT 1 FROM (${branches.join(' UNION ALL ')}) entry
        LIMIT :most::bigint) found) AS count
      FROM ${parents}) WITH ORDINALITY AS parent(chain, address, start, stop, ordinal)
      ORDER BY parent.ordinal`;
  });
  const rows = await storage.read<{ count: number }>(count, bind(count, { ...parentValues(queries), most }));
  return rows.map((row) => row.count);
}

function parentValues(queries: readonly InternalTxQuery[]) {
  return {
    chains: queries.map((query) => query.evmChainId),
    addresses: queries.map((query) => toBytea(query.address)),
    starts: queries.map((query) => query.startBlock.toString()),
    ends: queries.map((query) => query.endBlock.toString()),
  };
}

/** Whether an internal transaction of this row id exists. */
export async function internalTxExists(storage: Storage, id: string): Promise<boolean> {
  const exists = statement('internal_tx_exists', () => 'SELECT 1 FROM internal_tx WHERE id = :id::bigint');
  return (await storage.read(exists, bind(exists, { id }))).length > 0;
}

/** What identifies an internal transaction. */
export interface InternalTxKey {
  evmChainId: string;
  /** Hexadecimal with 0x. */
  txHash: string;
  position: number;
  tie: string;
}

/**
 * Internal transactions by their natural key.
 *
 * @returns for each key, in the order given, its row; null when it is not held
 */
export async function findInternalTxs(
  storage: Storage,
  keys: readonly InternalTxKey[],
): Promise<(InternalTxRow | null)[]> {
  const find = statement(
    'internal_txs_by_key',
    () => `
      SELECT wanted.ordinal::int AS ordinal, row.*
      FROM unnest(:chains::bigint[], :txHashes::bytea[], :positions::int[], :ties::bigint[])
        WITH ORDINALITY AS wanted(chain, tx_hash, position, tie, ordinal)
      CROSS JOIN LATERAL (
        SELECT ${internalTxColumns} FROM internal_tx i
        WHERE i.evm_chain_id = wanted.chain AND i.tx_hash = wanted.tx_hash
          AND i.position = wanted.position AND i.tie = wanted.tie OFFSET 0) row`,
  );
  const values = {
    chains: keys.map((key) => key.evmChainId),
    txHashes: keys.map((key) => toBytea(key.txHash)),
    positions: keys.map((key) => key.position),
    ties: keys.map((key) => key.tie),
  };
  const rows = await storage.read<InternalTxRow & { ordinal: number }>(find, bind(find, values));
  const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
  return keys.map((_key, index) => byOrdinal.get(index + 1) ?? null);
}
