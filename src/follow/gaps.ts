import type { Network } from '../avalanche/networks.js';
import { gapTable, MOST_COUNTED_GAPS, pipelineTable } from '../state/following.js';
import type { Database } from '../storage/prisma.js';
import type { Reader } from '../storage/reader.js';
import { arrayText } from '../storage/copy.js';
import type { Batch, Connection } from '../storage/session.js';
import { statement } from '../storage/statement.js';
import { pauseAfter, type Pauses } from './pauses.js';
import type { Block, MissingTransactions, PipelineName } from './pipeline.js';

/** Before a gap is asked for again. */
export const gapPauses: Pauses = { least: 30_000, most: 3_600_000 };

/** Whose gaps: those of a pipeline. */
export interface GapsOf {
  readonly network: Network;
  readonly name: PipelineName;
}

/** A stored block with a gap. */
export interface Gap extends GapsOf, MissingTransactions {
  readonly height: bigint;
  readonly blockId: string;
  /** How often it was asked for again. */
  readonly tries: number;
  /** Milliseconds until it is to be asked for. */
  readonly wait: number;
}

/** Stores the gaps of blocks, with the blocks themselves. */
export async function storeGaps(
  batch: Batch,
  { network, name }: GapsOf,
  blocks: readonly Block[],
  { least }: Pauses,
): Promise<void> {
  for (const { height, id, missing } of blocks)
    if (missing)
      await batch.query(
        `INSERT INTO ${gapTable.name} (network, name, height, block_id, transactions, reason, next_try)
         VALUES ($1::network, $2, $3, $4, $5::text[], $6, now() + $7 * interval '1 millisecond')
         ON CONFLICT (network, name, height) DO UPDATE
         SET block_id = excluded.block_id, transactions = excluded.transactions, reason = excluded.reason`,
        [network, name, height, id, arrayText(missing.transactions), missing.reason, least],
      );
}

/**
 * Makes all gaps of a pipeline due at once: nodes may be others than before.
 *
 * @returns the time of the database, as text; null where there are none
 */
export async function wakeGaps(connection: Connection, { network, name }: GapsOf): Promise<string | null> {
  const { rows } = await connection.query<{ now: string }>(
    `WITH woken AS (UPDATE ${gapTable.name} SET next_try = date_trunc('milliseconds', now())
       WHERE network = $1::network AND name = $2 RETURNING next_try)
     SELECT next_try::text AS now FROM woken LIMIT 1`,
    [network, name],
  );
  return rows[0]?.now ?? null;
}

/** Reads the beginning of an index. $3: only those that were due at this time; null: any. */
export const nextGapText = `SELECT height::text, block_id AS "blockId", transactions, reason, tries,
    greatest(0, extract(epoch FROM next_try - now()) * 1000)::float8 AS wait
  FROM ${gapTable.name} WHERE network = $1::network AND name = $2 AND ($3::timestamptz IS NULL OR next_try <= $3::timestamptz)
  ORDER BY next_try, ${gapTable.name}.height LIMIT 1`;

/** The gap that is to be asked for next. @param until only those that were due at this time; null: any */
export async function nextGap(
  connection: Connection,
  { network, name }: GapsOf,
  until: string | null,
): Promise<Gap | null> {
  const { rows } = await connection.query<Omit<Gap, 'height' | keyof GapsOf> & { height: string }>(
    nextGapText,
    [network, name, until],
  );
  const [row] = rows;
  return row ? { ...row, network, name, height: BigInt(row.height) } : null;
}

/** Notes that a gap remains. The pause before each next try is longer. */
export async function postponeGap(
  connection: Connection,
  { network, name, height, tries }: Gap,
  { transactions, reason }: MissingTransactions,
  pauses: Pauses,
): Promise<void> {
  await connection.query(
    `UPDATE ${gapTable.name} SET tries = tries + 1, transactions = $4::text[], reason = $5,
       next_try = now() + $6 * interval '1 millisecond'
     WHERE network = $1::network AND name = $2 AND height = $3`,
    [network, name, height, arrayText(transactions), reason, pauseAfter(tries + 1, pauses)],
  );
}

/** Everything of the block is stored. */
export async function closeGap(batch: Batch, { network, name, height }: Gap): Promise<void> {
  await batch.query(
    `DELETE FROM ${gapTable.name} WHERE network = $1::network AND name = $2 AND height = $3`,
    [network, name, height],
  );
}

/** How many blocks of a pipeline have gaps. */
export interface GapCount extends GapsOf {
  /** At most MOST_COUNTED_GAPS, which stand for as many or more. */
  readonly blocks: number;
  /** The lowest one. */
  readonly first: string;
}

/** Reads the lowest gaps of each pipeline from the primary key. */
export const gapCountStatement = statement(
  'follow_gaps',
  `SELECT pipeline.network::text AS network, pipeline.name, lowest.blocks, lowest.first::text AS first
   FROM ${pipelineTable.name} pipeline CROSS JOIN LATERAL (
     SELECT count(*)::int AS blocks, min(height) AS first FROM (
       SELECT height FROM ${gapTable.name} gap WHERE gap.network = pipeline.network AND gap.name = pipeline.name
       ORDER BY height LIMIT ${MOST_COUNTED_GAPS}) counted) lowest
   WHERE lowest.blocks > 0`,
);

/** The pipelines that have gaps. */
export const countGaps = (reader: Pick<Reader, 'read'>): Promise<GapCount[]> =>
  reader.read<GapCount>(gapCountStatement, []);

/** A gap as people see it. */
export interface StoredGap extends Omit<Gap, 'wait' | 'blockId' | 'name'> {
  readonly name: string;
  readonly since: Date;
  readonly nextTry: Date;
}

/** The gaps of all pipelines, the lowest first. @param most how many are read; all are counted */
export async function readGaps(
  { prisma }: { readonly prisma: Pick<Database, 'followGap'> },
  most: number,
): Promise<{ gaps: readonly StoredGap[]; count: number }> {
  const gaps = await prisma.followGap.findMany({
    orderBy: [{ network: 'asc' }, { name: 'asc' }, { height: 'asc' }],
    take: most,
  });
  return { gaps, count: gaps.length < most ? gaps.length : await prisma.followGap.count() };
}
