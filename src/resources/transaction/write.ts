import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'lossless-json';
import { isEmptyList } from '../../fields/column.js';
import type { Batch } from '../../storage/session.js';
import type { CopyValue } from '../../storage/copy.js';
import { positionSql, sortKeyAt } from '../../avalanche/sort-key.js';
import type { Change } from '../../write/derived/table.js';
import { writeDerived } from '../../write/derived/write.js';
import { takeIds } from '../../write/ids.js';
import type { JsonObject } from '../../rows/check.js';
import type { PrimaryScope } from '../../write/scope.js';
import { updateRows } from '../../write/upsert.js';
import { parseJson } from '../../json.js';
import { amountLists } from './details.js';
import { datedOf, derivedFromTransactions, type DatedTransaction } from './import-days.js';
import type { ImportTransaction } from './import-row.js';

/** A transaction's row, without its lists of outputs. */
export type TransactionRecord = Omit<ImportTransaction, 'outputs' | 'inputs' | 'assets' | 'rowId'>;

const columns = {
  network: 'network',
  chain: 'primary_chain',
  tx_hash: 'text',
  tx_type: 'text',
  block_timestamp: 'numeric',
  block_number: 'numeric',
  block_hash: 'text',
  details: 'jsonb',
  tie: 'bigint',
} as const;
const table = { name: 'transaction', columns, key: ['network', 'chain', 'tx_hash'] } as const;

/**
 * Merges a second row of a transaction: values that only one of them knows are kept; if both know one, the
 * newer counts.
 */
export function mergeTransaction(older: TransactionRecord, newer: TransactionRecord): TransactionRecord {
  // The row with the block has its time: sources without blocks give the time of acceptance.
  const { blockTimestamp } = older.blockNumber !== null && newer.blockNumber === null ? older : newer;
  const { txHash } = newer;
  const blockNumber = newer.blockNumber ?? older.blockNumber;
  // A position belongs to its block. Where rows of one batch name another block in between, it is null and
  // not undefined: the stored row may have the block of the last one, and its position was given up.
  const isSameBlock = older.blockNumber === null || blockNumber === older.blockNumber;
  const position = newer.position === undefined && isSameBlock ? older.position : (newer.position ?? null);
  return {
    txHash,
    txType: newer.txType === 'UNKNOWN' ? older.txType : newer.txType,
    blockTimestamp,
    blockNumber,
    blockHash: newer.blockHash ?? older.blockHash,
    position,
    details: mergeDetails(older.details, newer.details),
    sortKey: sortKeyAt({ blockNumber, position: position ?? null }, txHash).toString(),
  };
}

/**
 * An empty list means unknown: replies have one if nothing is known. Objects omit members that are unknown,
 * except a genesis, which is kept unchanged.
 */
function mergeDetails(older: JsonObject, newer: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...older };
  for (const [name, value] of Object.entries(newer)) {
    const known = older[name];
    if (isEmptyList(value) && known !== undefined) continue;
    const isMerged = isObject(known) && isObject(value) && name !== 'genesisData';
    merged[name] = isMerged ? mergeDetails(known, value) : value;
  }
  return merged;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface WrittenTransactions {
  /** Row ids by hash, of all that were given. */
  ids: Map<string, string>;
  /** Hashes of transactions that were stored before. Only these can have stored lists and references. */
  known: Set<string>;
  /** Hashes of transactions that were added or changed. */
  changed: Set<string>;
  /** Numbers of blocks of which corrected transactions said something else before. */
  formerBlocks: string[];
}

/** Stores transactions, each given once. Needs the network's import lock: it reads, merges and writes. */
export async function writeTransactions(
  client: Batch,
  scope: PrimaryScope,
  records: readonly (TransactionRecord & Pick<ImportTransaction, 'rowId'>)[],
): Promise<WrittenTransactions> {
  const known = await storedTransactions(
    client,
    scope,
    records.map(({ txHash }) => txHash),
  );
  const rowIds = new Map(records.map(({ txHash, rowId }) => [txHash, rowId]));
  const added: TransactionRecord[] = [];
  const changed: { before: TransactionRecord; after: TransactionRecord }[] = [];
  const ids = new Map<string, string>();
  for (const record of records) {
    const stored = known.get(record.txHash);
    if (!stored) {
      added.push(complete(record));
      continue;
    }
    ids.set(record.txHash, stored.id);
    const merged = mergeTransaction(stored.record, record);
    if (!isDeepStrictEqual(merged, stored.record)) changed.push({ before: stored.record, after: merged });
  }
  const kept = scope.keepsInstallation ? added.map(({ txHash }) => rowIds.get(txHash) ?? null) : [];
  const newIds = await takeIds(client, 'transaction', added.length, kept);
  added.forEach(({ txHash }, index) => ids.set(txHash, newIds[index] as string));
  const changes = [...added.map((after) => ({ before: null, after })), ...changed];
  await Promise.all([
    client.copy(table.name, ['id', ...Object.keys(columns)], rowsOf(scope, newIds, added)),
    updateRows(
      client,
      table,
      changed.map(({ after }) => valuesOf(scope, after)),
    ),
    writeDerived(client, derivedFromTransactions, datedChanges(scope, changes)),
  ]);
  return {
    ids,
    known: new Set(known.keys()),
    changed: new Set(changes.map(({ after }) => after.txHash)),
    formerBlocks: [...new Set(changed.flatMap(formerBlock))],
  };
}

function* datedChanges(
  scope: PrimaryScope,
  changes: readonly { before: TransactionRecord | null; after: TransactionRecord }[],
): Generator<Change<DatedTransaction>> {
  for (const { before, after } of changes)
    yield { before: before && datedOf(scope, before), after: datedOf(scope, after) };
}

/** The number of the block that a transaction had, where something that was known of it has become else. */
const formerBlock = ({ before, after }: { before: TransactionRecord; after: TransactionRecord }): string[] =>
  before.blockNumber === null ||
  (before.blockNumber === after.blockNumber &&
    before.blockTimestamp === after.blockTimestamp &&
    (before.blockHash === null || before.blockHash === after.blockHash))
    ? []
    : [before.blockNumber];

// One row at a time, because those of a batch take more memory than its records.
function* rowsOf(
  scope: PrimaryScope,
  ids: readonly string[],
  records: readonly TransactionRecord[],
): Generator<CopyValue[]> {
  for (const [index, record] of records.entries()) yield [ids[index] as string, ...valuesOf(scope, record)];
}

function complete(record: TransactionRecord): TransactionRecord {
  const empty = Object.fromEntries(Object.keys(amountLists).map((name) => [name, []]));
  return { ...record, details: { ...empty, ...record.details } };
}

function valuesOf({ network, chain }: PrimaryScope, record: TransactionRecord): CopyValue[] {
  const { txHash, txType, blockTimestamp, blockNumber, blockHash, details, sortKey } = record;
  // JSON.stringify refuses bigints.
  const text = stringify(details) ?? '{}';
  return [network, chain, txHash, txType, blockTimestamp, blockNumber, blockHash, text, sortKey];
}

interface StoredTransaction {
  id: string;
  record: TransactionRecord;
}

/** By hash, with their row ids. */
export async function storedTransactions(
  client: Batch,
  { network, chain }: PrimaryScope,
  txHashes: string[],
): Promise<Map<string, StoredTransaction>> {
  const { rows } = await client.query<TransactionRecord & { id: string; text: string }>(
    `SELECT id::text, tx_hash AS "txHash", tx_type AS "txType", block_timestamp::text AS "blockTimestamp",
       block_number::text AS "blockNumber", block_hash AS "blockHash", details::text AS text,
       ${positionSql('tie')} AS position, tie::text AS "sortKey"
     FROM transaction WHERE network = $1 AND chain = $2 AND tx_hash = ANY($3)`,
    [network, chain, txHashes],
  );
  return new Map(
    rows.map(({ id, text, ...row }) => [
      row.txHash,
      { id, record: Object.assign(row, { details: parseJson(text) as TransactionRecord['details'] }) },
    ]),
  );
}
