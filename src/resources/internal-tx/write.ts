import { isDeepStrictEqual } from 'node:util';
import { toBytea } from '../../avalanche/evm.js';
import { columnTypes } from '../../fields/column.js';
import { takeIds } from '../../write/ids.js';
import { upsertRows, withIds } from '../../write/upsert.js';
import type { FirstRows } from '../../write/feed.js';
import { arrayText, type CopyValue } from '../../storage/copy.js';
import type { Batch } from '../../storage/session.js';
import { internalTxFields, type InternalTxColumns } from './fields.js';
import { FramesOfTransaction, type FrameChange, type PlacedFrame } from './import-merge.js';
import { keyOf, removeStored, type StoredKey } from './import-keys.js';
import { coverBlocks } from './import-partitions.js';
import { asParty, type FrameRecord, type ImportFrame, type Party } from './import-row.js';

const ownColumns = columnTypes(internalTxFields);
const ownNames = Object.keys(ownColumns) as (keyof InternalTxColumns)[];
const table = {
  name: 'internal_tx',
  columns: {
    evm_chain_id: 'bigint',
    ...ownColumns,
    position: 'integer',
    tie: 'bigint',
    from_address: 'bytea',
    to_address: 'bytea',
    from_party: 'jsonb',
    to_party: 'jsonb',
  },
  key: ['evm_chain_id', 'tx_hash', 'position', 'tie', 'block_number'],
};

interface WrittenFrames {
  /** How many rows it wrote or removed. */
  count: number;
  /** The partitions that it changed. */
  partitions: ReadonlySet<string>;
  /** Those that were added. */
  first: FirstRows;
}

/**
 * Makes the stored frames of a chain agree with rows of an import. Must run under the chain's import lock: it
 * reads, merges and writes.
 */
export async function writeFrames(
  client: Batch,
  evmChainId: string,
  rows: readonly ImportFrame[],
): Promise<WrittenFrames> {
  const transactions = await findTransactions(client, evmChainId, rows);
  for (const row of rows) transactions.get(row.record.tx_hash)?.take(row);
  const merged = [...transactions.values()];
  const changed = merged.flatMap(({ changes }) => changes).filter(isChange);
  const moved = changed.flatMap(({ now, before }) =>
    before && frameKey(now) !== frameKey(before) ? [before] : [],
  );
  const gone = [...merged.flatMap((each) => each.gone), ...moved];
  const blocks = [...changed.map(({ now }) => now), ...gone].map(({ record }) => record.block_number);
  const partitions = await coverBlocks(client, evmChainId, new Set(blocks));
  await removeStored(client, evmChainId, gone.map(storedKeyOf));
  const added = changed.filter(({ now, before }) => !before || frameKey(now) !== frameKey(before));
  const ids = await takeIds(
    client,
    table.name,
    added.length,
    added.map(({ now }) => now.id),
  );
  for (const [index, { now }] of added.entries()) now.id = ids[index] ?? null;
  await upsertRows(
    client,
    withIds(table, 'taken'),
    changed.map(({ now }) => valuesOf(evmChainId, now)),
  );
  const keys = changed.flatMap(({ now, before }) => (before ? [] : [feedKeyOf(now)]));
  const first: FirstRows = { kind: 'internal_tx', network: null, chain: null, evmChainId, keys };
  return { count: changed.length + gone.length - moved.length, partitions, first };
}

/**
 * What identifies a frame in the feed. Not its position, which changes where a later row without one is of
 * the same transaction.
 */
const feedKeyOf = ({ record, id }: PlacedFrame) => `${record.block_number}:${id}`;

const isChange = ({ now, before }: FrameChange) => before === null || !isDeepStrictEqual(now, before);

/**
 * A text that is different for every frame of its chain, including its block, which rows of a partitioned
 * table cannot change.
 */
const frameKey = (frame: PlacedFrame) => keyOf(storedKeyOf(frame));

const storedKeyOf = ({ record, position, sortKey }: PlacedFrame): StoredKey => ({
  tx_hash: record.tx_hash,
  position,
  tie: sortKey,
  block_number: record.block_number,
});

function valuesOf(evmChainId: string, { record, position, sortKey, id }: PlacedFrame): CopyValue[] {
  const { from, to } = record;
  return [
    evmChainId,
    ...ownNames.map((name) => record[name]),
    position,
    sortKey,
    toBytea(from.address),
    toBytea(to.address),
    JSON.stringify(from),
    JSON.stringify(to),
    id,
  ];
}

/** The stored frames of all transactions that rows name, by hash. */
async function findTransactions(
  client: Batch,
  evmChainId: string,
  rows: readonly ImportFrame[],
): Promise<Map<string, FramesOfTransaction>> {
  const hashes = [...new Set(rows.map(({ record }) => record.tx_hash))];
  const { rows: stored } = await client.query<StoredRow>(
    `SELECT id::text, position, tie::text AS "sortKey", from_party::text, to_party::text, ${ownTexts.join(', ')}
     FROM internal_tx i WHERE evm_chain_id = $1 AND tx_hash = ANY($2::bytea[]) ORDER BY i.position DESC, i.id`,
    [evmChainId, arrayText(hashes)],
  );
  const frames = new Map(hashes.map((hash): [string, PlacedFrame[]] => [hash, []]));
  for (const row of stored) frames.get(row.tx_hash)?.push(toFrame(row));
  return new Map([...frames].map(([hash, own]) => [hash, new FramesOfTransaction(own)]));
}

/** The frames of a transaction that are all of it. */
export interface WholeTransaction {
  /** 0x and 64 digits. */
  readonly txHash: string;
  readonly blockNumber: string;
  readonly positions: readonly number[];
}

/**
 * Removes what else is stored of transactions whose frames are all known: rows of files that are not among
 * these frames, have no position, or are in another block. Must run under the chain's import lock.
 *
 * @param evmChainId decimal digits
 */
export async function removeOtherFrames(
  client: Batch,
  evmChainId: string,
  transactions: readonly WholeTransaction[],
): Promise<void> {
  if (transactions.length === 0) return;
  const kept = new Set(
    transactions.flatMap(({ txHash, blockNumber, positions }) =>
      positions.map((position) =>
        keyOf({ tx_hash: toBytea(txHash), position, tie: '0', block_number: blockNumber }),
      ),
    ),
  );
  const { rows } = await client.query<StoredKey>(
    `SELECT '\\x' || encode(tx_hash, 'hex') AS tx_hash, position, tie::text, block_number::text
     FROM internal_tx WHERE evm_chain_id = $1 AND tx_hash = ANY($2::bytea[])`,
    [evmChainId, arrayText(transactions.map(({ txHash }) => toBytea(txHash)))],
  );
  await removeStored(
    client,
    evmChainId,
    rows.filter((row) => !kept.has(keyOf(row))),
  );
}

type StoredRow = InternalTxColumns &
  Record<'id' | 'sortKey' | 'from_party' | 'to_party', string> & { position: number };

const ownTexts = Object.entries(ownColumns).map(([name, type]) => {
  if (type === 'boolean') return name;
  return type === 'bytea' ? `'\\x' || encode(${name}, 'hex') AS ${name}` : `${name}::text`;
});

function toFrame({ id, position, sortKey, from_party, to_party, ...columns }: StoredRow): PlacedFrame {
  const party = (text: string): Party => asParty(JSON.parse(text), '');
  const record: FrameRecord = { ...columns, from: party(from_party), to: party(to_party) };
  return { record, position, sortKey, id };
}
