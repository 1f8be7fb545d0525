import type { Network } from '../../avalanche/networks.js';
import type { FollowRange } from '../../generated/prisma/client.js';
import { pipelineTable, rangeTable } from '../../state/following.js';
import type { Database } from '../../storage/prisma.js';
import type { Batch, Connection, Session } from '../../storage/session.js';
import { Outrun } from '../errors.js';
import type { PipelineName } from '../pipeline.js';
import { watermarkOf, type Watermark } from '../watermark.js';
import type { Heights } from './range-plan.js';

// The class of the advisory lock under which ranges are begun; any number that nothing else uses.
const RANGE_LOCK = 1_836_020_421;

/** A range of the past: all of [first, next) is stored, and it is read up to `end`, without it. */
export interface Range extends Watermark {
  readonly end: bigint;
}

interface RangesOf {
  readonly network: Network;
  readonly name: PipelineName;
}

/** What is to be read of the past of a pipeline. */
export interface PastState {
  /** Between the operator's goal and the first stored block. */
  readonly missing: Heights;
  /** The newest height that nodes have shown. */
  readonly head: bigint;
  readonly ranges: readonly Range[];
}

/** @returns null for a pipeline that has not begun, or whose past is not wanted */
export async function readPast(
  prisma: Pick<Database, 'followPipeline' | 'followRange'>,
  { network, name }: RangesOf,
): Promise<PastState | null> {
  const known = await prisma.followPipeline.findUnique({ where: { network_name: { network, name } } });
  if (!known || known.pastGoal === null) return null;
  const rows = await prisma.followRange.findMany({ where: { network, name } });
  const missing = { first: known.pastGoal, end: known.firstHeight };
  return { missing, head: known.head ?? known.firstHeight - 1n, ranges: rows.map(fromRow) };
}

/** A range that was begun. Call it while you hold its lock. @returns null where it has joined by now */
export async function readRange(
  { followRange }: Pick<Database, 'followRange'>,
  { network, name, first }: RangesOf & { readonly first: bigint },
): Promise<Range | null> {
  const where = { network_name_firstHeight: { network, name, firstHeight: first } };
  const row = await followRange.findUnique({ where });
  return row && fromRow(row);
}

/** The range right below the first stored block, if all of it is stored; null: it is not. */
export async function rangeBelow(
  { followRange }: Pick<Database, 'followRange'>,
  { network, name, first }: Watermark,
): Promise<Range | null> {
  const row = await followRange.findFirst({ where: { network, name, endHeight: first, nextHeight: first } });
  return row && fromRow(row);
}

/** Makes the row of a range, unless others have begun or stored some of its blocks meanwhile. */
export async function beginRange(
  session: Session,
  { network, name, first, end }: RangesOf & Heights,
): Promise<void> {
  await session.transaction(async (batch) => {
    await batch.query(`SELECT pg_advisory_xact_lock(${RANGE_LOCK}, hashtext($1))`, [`${network} ${name}`]);
    await batch.query(
      `INSERT INTO ${rangeTable.name} (network, name, first_height, next_height, end_height, counters)
       SELECT stream.network, stream.name, $3, $3, $4, '{}' FROM ${pipelineTable.name} stream
       WHERE stream.network = $1::network AND stream.name = $2 AND stream.first_height >= $4 AND NOT EXISTS (
         SELECT FROM ${rangeTable.name} known WHERE known.network = $1::network AND known.name = $2
           AND known.first_height < $4 AND known.end_height > $3)`,
      [network, name, first, end],
    );
  });
}

/** Moves a range in the transaction of its batch. @throws Outrun when it is not where the batch began */
export async function moveRange(batch: Batch, before: Watermark, after: Watermark): Promise<void> {
  const { rowCount } = await batch.query(
    `UPDATE ${rangeTable.name} SET next_height = $5, first_parent = $6, last_id = $7, last_time = $8, memo = $9,
       counters = $10, refused_rows = $11, note = NULL, updated_at = now()
     WHERE network = $1::network AND name = $2 AND first_height = $3 AND next_height = $4`,
    [
      before.network,
      before.name,
      before.first,
      before.next,
      after.next,
      after.firstParent,
      after.lastId,
      after.lastTime,
      after.memo && JSON.stringify(after.memo),
      JSON.stringify(after.counters),
      after.refusedRows,
    ],
  );
  if (rowCount !== 1)
    throw new Outrun(`another follower has moved the range of ${before.name} from ${before.first} on`);
}

/** The blocks of a range belong to the stored ones above it from now on. */
export async function removeRange(
  connection: Connection,
  { network, name, first }: Watermark,
): Promise<void> {
  await connection.query(
    `DELETE FROM ${rangeTable.name} WHERE network = $1::network AND name = $2 AND first_height = $3`,
    [network, name, first],
  );
}

/** Reads a range again from its first block on: those that were stored are not those of the chain. */
export async function readAgain(connection: Connection, { network, name, first }: Watermark): Promise<void> {
  await connection.query(
    `UPDATE ${rangeTable.name} SET next_height = first_height, first_parent = NULL, last_id = NULL, last_time = NULL, memo = NULL
     WHERE network = $1::network AND name = $2 AND first_height = $3`,
    [network, name, first],
  );
}

/** Writes why a range waits. */
export async function noteOnRange(
  connection: Connection,
  { network, name, first }: Watermark,
  note: string,
): Promise<void> {
  await connection.query(
    `UPDATE ${rangeTable.name} SET note = $4, updated_at = now()
     WHERE network = $1::network AND name = $2 AND first_height = $3`,
    [network, name, first, note],
  );
}

/** What the block right above a range names as its parent; null where it is not stored yet. */
export async function parentAbove(
  connection: Connection,
  { network, name, end }: Range,
): Promise<string | null> {
  const { rows } = await connection.query<{ parent: string | null }>(
    `SELECT first_parent AS parent FROM ${pipelineTable.name}
     WHERE network = $1::network AND name = $2 AND first_height = $3
     UNION ALL SELECT first_parent FROM ${rangeTable.name}
     WHERE network = $1::network AND name = $2 AND first_height = $3`,
    [network, name, end],
  );
  return rows[0]?.parent ?? null;
}

/** Writes down to where the past is wanted; null: nowhere. */
export async function noteGoal(
  connection: Connection,
  { network, name }: RangesOf,
  goal: bigint | null,
): Promise<void> {
  await connection.query(
    `UPDATE ${pipelineTable.name} SET past_goal = $3 WHERE network = $1::network AND name = $2
     AND past_goal IS DISTINCT FROM $3`,
    [network, name, goal],
  );
}

const fromRow = (row: FollowRange): Range => ({ ...watermarkOf(row), end: row.endHeight });
