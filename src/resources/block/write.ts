import { columnTypes, recordMerger } from '../../fields/column.js';
import type { Batch } from '../../storage/session.js';
import { firstOfChain, type FirstRows } from '../../write/feed.js';
import type { PrimaryScope } from '../../write/scope.js';
import { updateRows } from '../../write/upsert.js';
import { blockFields, type BlockRecord } from './fields.js';

const types = columnTypes(blockFields);
const names = Object.keys(types) as (keyof BlockRecord)[];
const table = {
  name: 'block',
  columns: { network: 'network', chain: 'primary_chain', ...types },
  key: ['network', 'chain', 'number'],
};

const merge = recordMerger(blockFields);

/** How many blocks were added or changed, and those that were added. */
interface WrittenBlocks {
  written: number;
  first: FirstRows;
}

/** Stores blocks; of what a stored one and its row say, the row counts. */
export const writeBlocks = (
  client: Batch,
  scope: PrimaryScope,
  blocks: readonly BlockRecord[],
): Promise<WrittenBlocks> => mergeBlocks(client, scope, blocks, merge);

/** Removes the blocks that have these hashes. */
export async function removeBlocks(
  client: Batch,
  { network, chain }: PrimaryScope,
  hashes: readonly string[],
): Promise<void> {
  const given = [network, chain, hashes];
  await client.query('DELETE FROM block WHERE network = $1 AND chain = $2 AND hash = ANY($3::text[])', given);
}

/** What a transaction says of its block. */
interface BlockOfTransaction {
  readonly blockNumber: string | null;
  readonly blockHash: string | null;
  readonly blockTimestamp: string;
}

/** Stores what transactions say of their blocks: of a stored block only what was unknown. */
export function writeBlocksOf(
  client: Batch,
  scope: PrimaryScope,
  transactions: readonly BlockOfTransaction[],
): Promise<WrittenBlocks> {
  const blocks = transactions.flatMap(({ blockNumber, blockHash, blockTimestamp }): BlockRecord[] => {
    if (blockNumber === null) return [];
    return [{ ...unknownToTransactions, number: blockNumber, hash: blockHash, timestamp: blockTimestamp }];
  });
  return mergeBlocks(client, scope, blocks, (stored, block) => merge(block, stored));
}

const unknownToTransactions = {
  parent_hash: null,
  block_type: null,
  size_bytes: null,
  tx_count: null,
  proposer_node_id: null,
};

/** SQL of whether block `b` has only what transactions say of it. */
const isSaid = Object.keys(unknownToTransactions)
  .map((name) => `b.${name} IS NULL`)
  .join(' AND ');

/**
 * Makes blocks of which only transactions say something agree with these: such a block goes when its last
 * transaction turns out to be in another one. The transactions must be written.
 *
 * @param numbers of blocks of which corrected transactions said something else before
 */
export async function correctBlocks(
  client: Batch,
  { network, chain }: PrimaryScope,
  numbers: readonly string[],
): Promise<void> {
  if (numbers.length === 0) return;
  await client.query(
    `WITH said AS MATERIALIZED (
       SELECT DISTINCT ON (t.block_number) t.block_number AS number, t.block_timestamp AS timestamp, t.block_hash AS hash
       FROM transaction t WHERE t.network = $1 AND t.chain = $2 AND t.block_number = ANY($3::numeric[])
       ORDER BY t.block_number, t.block_hash IS NULL, t.block_timestamp, t.tie, t.id
     ), gone AS (
       DELETE FROM block b WHERE b.network = $1 AND b.chain = $2 AND b.number = ANY($3::numeric[]) AND ${isSaid}
         AND NOT EXISTS (SELECT 1 FROM said WHERE said.number = b.number)
     )
     UPDATE block b SET timestamp = said.timestamp, hash = said.hash FROM said
     WHERE b.network = $1 AND b.chain = $2 AND b.number = said.number AND ${isSaid}
       AND (b.timestamp, b.hash) IS DISTINCT FROM (said.timestamp, said.hash)`,
    [network, chain, numbers],
  );
}

async function mergeBlocks(
  client: Batch,
  scope: PrimaryScope,
  blocks: readonly BlockRecord[],
  mergePair: (older: BlockRecord, newer: BlockRecord) => BlockRecord,
): Promise<WrittenBlocks> {
  const given = new Map<string, BlockRecord>();
  for (const block of blocks) {
    const earlier = given.get(block.number);
    given.set(block.number, earlier ? mergePair(earlier, block) : block);
  }
  if (given.size === 0) return { written: 0, first: firstOfChain('block', scope, []) };
  const stored = await findStored(client, scope, [...given.keys()]);
  const added: BlockRecord[] = [];
  const changed: BlockRecord[] = [];
  for (const block of given.values()) {
    const known = stored.get(block.number);
    if (!known) {
      added.push(block);
      continue;
    }
    const merged = mergePair(known, block);
    if (names.some((name) => merged[name] !== known[name])) changed.push(merged);
  }
  const rowsOf = (records: readonly BlockRecord[]) =>
    records.map((record) => [scope.network, scope.chain, ...names.map((name) => record[name])]);
  await Promise.all([
    client.copy(table.name, Object.keys(table.columns), rowsOf(added)),
    updateRows(client, table, rowsOf(changed)),
  ]);
  const numbers = added.map(({ number }) => number);
  return { written: added.length + changed.length, first: firstOfChain('block', scope, numbers) };
}

async function findStored(
  client: Batch,
  { network, chain }: PrimaryScope,
  numbers: readonly string[],
): Promise<Map<string, BlockRecord>> {
  const { rows } = await client.query<BlockRecord>(
    `SELECT ${names.map((name) => `b.${name}::text`).join(', ')} FROM block b
     WHERE b.network = $1 AND b.chain = $2 AND b.number = ANY($3::numeric[])`,
    [network, chain, numbers],
  );
  return new Map(rows.map((row) => [row.number, row]));
}
