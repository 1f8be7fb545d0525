import { toBytea } from '../../avalanche/evm.js';
import { pageValues, rowsByPage, type NestedPage } from '../../paging/nested-page.js';
import type { Storage } from '../../storage/open.js';
import { bind, statement } from '../../storage/statement.js';
import { internalTxColumns } from './columns.js';
import { internalTxCountStatement, internalTxListStatement } from './list-statement.js';
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

/** Up to limit + 1 internal transactions of each of several lists, in list order, in one statement. */
export async function listInternalTxs(
  storage: Storage,
  pages: readonly [InternalTxPage, ...InternalTxPage[]],
): Promise<InternalTxRow[][]> {
  const [{ request }] = pages;
  const list = internalTxListStatement(request);
  const rows = await storage.read<InternalTxRow & { ordinal: number }>(
    list,
    bind(list, {
      ...parentValues(pages),
      ...pageValues(pages),
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
  const count = internalTxCountStatement();
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
  return storage.holds(exists, bind(exists, { id }));
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
