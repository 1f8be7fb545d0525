import type { Network } from '../avalanche/networks.js';
import { Prisma, type FollowPipeline } from '../generated/prisma/client.js';
import { pipelineTable } from '../state/following.js';
import type { Database } from '../storage/prisma.js';
import type { Batch } from '../storage/session.js';
import { Outrun, PipelineStopped } from './errors.js';
import type { Memo, PipelineName } from './pipeline.js';

/** How far a pipeline has come: all of [first, next) is stored. */
export interface Watermark {
  readonly network: Network;
  readonly name: PipelineName;
  readonly first: bigint;
  readonly next: bigint;
  /** What block `first` names as its parent; null before it is stored. */
  readonly firstParent: string | null;
  /** Of the block before `next`; null before the first block. */
  readonly lastId: string | null;
  /** Its time, Unix seconds, or that of the last block before it that had one. */
  readonly lastTime: number | null;
  readonly memo: Memo | null;
  /** Rows written since the beginning, by table. */
  readonly counters: Readonly<Record<string, number>>;
  /** Rows that were refused since the beginning. */
  readonly refusedRows: number;
}

/** Where a pipeline begins. */
export interface Beginning {
  /** The operator's word; null for none. */
  readonly from: bigint | 'now' | null;
  /** Where it begins without one. */
  readonly whole: () => Promise<bigint | 'now'>;
  /** The height that `now` means. */
  readonly now: () => Promise<bigint>;
  /** Whether a pipeline that was begun begins again where it did, and writes its rows over. */
  readonly again?: boolean;
  /** Whether the blocks before its first one can be read later, down to a height that the operator names. */
  readonly readsPast?: boolean;
}

/**
 * Reads how far a pipeline has come, and makes its row when it begins. Call it while you hold the pipeline's
 * lock.
 *
 * @throws PipelineStopped when it was begun at another height than this one and cannot be read backward, and
 *   for a P-chain that is to be begun again in the middle; what `whole` and `now` throw
 */
export async function openWatermark(
  prisma: Pick<Database, 'followPipeline' | 'followGap' | 'followRange'>,
  network: Network,
  name: PipelineName,
  { from, whole, now, again = false, readsPast = false }: Beginning,
): Promise<Watermark> {
  const known = await prisma.followPipeline.findUnique({ where: { network_name: { network, name } } });
  // Blocks of ranges below the first one are stored too.
  const isEmpty =
    known !== null &&
    hasNoBlock(known) &&
    (await prisma.followRange.count({ where: { network, name } })) === 0;
  if (known && readsPast && isEmpty && from !== 'now') {
    const start = from ?? (await whole());
    // Nothing is stored, so nothing is lost: nodes may have less by now than when it was begun.
    if (start !== 'now' && start > known.firstHeight) return moveBeginning(prisma, known, start);
  }
  if (known && isEmpty && known.firstHeight > 0n && typeof from !== 'bigint') {
    // It was begun after a height that a node named, and that no node has.
    const next = await now();
    if (next < known.firstHeight) return moveBeginning(prisma, known, next);
  }
  if (known && !readsPast && typeof from === 'bigint' && known.firstHeight !== from)
    throw new PipelineStopped(
      `${name} was begun at height ${known.firstHeight} and cannot be begun again at ${from}: leave out its --from. Its earlier blocks can only be stored in an empty database`,
    );
  if (known && (again || writtenOverTo(known.memo as Memo | null) !== null)) return beginAgain(prisma, known);
  if (known) return watermarkOf(known);
  const start = from ?? (await whole());
  const first = start === 'now' ? await now() : start;
  const begun = {
    network,
    name,
    firstHeight: first,
    nextHeight: first,
    state: 'following',
    counters: {},
  } as const;
  return watermarkOf(await prisma.followPipeline.create({ data: begun }));
}

/** Whether no block of it was ever stored, but perhaps those of ranges of its past. */
const hasNoBlock = ({ firstHeight, nextHeight, firstParent }: FollowPipeline) =>
  firstParent === null && firstHeight === nextHeight;

async function moveBeginning(
  { followPipeline }: Pick<Database, 'followPipeline'>,
  { network, name }: FollowPipeline,
  first: bigint,
): Promise<Watermark> {
  const where = { network_name: { network, name } };
  return watermarkOf(await followPipeline.update({ where, data: { firstHeight: first, nextHeight: first } }));
}

/**
 * The height at which the P-chain's state was stored before the stream began again. Until it is reached
 * again, readers keep the old state. Null: it did not begin again.
 */
export function writtenOverTo(memo: Memo | null): bigint | null {
  const end = memo?.['again'];
  return typeof end === 'string' ? BigInt(end) : null;
}

/**
 * Moves the watermark to the beginning; all rows stay. The P-chain's state is written when it has come to
 * where it was, so what was begun again and is interrupted begins once more.
 */
async function beginAgain(
  prisma: Pick<Database, 'followPipeline' | 'followGap'>,
  { network, name, firstHeight, nextHeight, memo }: FollowPipeline,
): Promise<Watermark> {
  if (name === 'p' && firstHeight > 0n)
    throw new PipelineStopped(
      `p was begun at height ${firstHeight} and cannot be written over: its state at that height is unknown. Leave out --again, or begin in an empty database`,
    );
  // Its blocks are fetched again, and their gaps are found again. Those of ranges below are not.
  await prisma.followGap.deleteMany({ where: { network, name, height: { gte: firstHeight } } });
  const end = writtenOverTo(memo as Memo | null) ?? nextHeight;
  const data = {
    nextHeight: firstHeight,
    lastId: null,
    lastTime: null,
    memo: name === 'p' && end > firstHeight ? { again: end.toString() } : Prisma.DbNull,
  };
  return watermarkOf(
    await prisma.followPipeline.update({ where: { network_name: { network, name } }, data }),
  );
}

/** What rows of pipelines and of ranges have alike. */
type WatermarkRow = Pick<
  FollowPipeline,
  'network' | 'name' | 'firstHeight' | 'nextHeight' | 'firstParent' | 'lastId' | 'lastTime'
> &
  Pick<FollowPipeline, 'memo' | 'counters' | 'refusedRows'>;

/** How far a row says that its pipeline, or its range of the past, has come. */
export function watermarkOf(row: WatermarkRow): Watermark {
  return {
    network: row.network,
    name: row.name as PipelineName,
    first: row.firstHeight,
    next: row.nextHeight,
    firstParent: row.firstParent,
    lastId: row.lastId,
    lastTime: row.lastTime === null ? null : Number(row.lastTime),
    memo: row.memo as Memo | null,
    counters: row.counters as Record<string, number>,
    refusedRows: Number(row.refusedRows),
  };
}

/**
 * Moves the watermark in the transaction of its batch.
 *
 * @param head the newest height that is known
 * @throws Outrun when it is not where the batch began: another follower has moved it
 */
export async function moveWatermark(
  batch: Batch,
  before: Watermark,
  after: Watermark,
  head: bigint,
): Promise<void> {
  const { rowCount } = await batch.query(
    `UPDATE ${pipelineTable.name} SET next_height = $5, last_id = $6, last_time = $7, memo = $8, counters = $9, head = $10,
       current_at = coalesce($11::timestamptz, current_at), state = 'following', note = NULL, updated_at = now(),
       first_height = $12, first_parent = $13, refused_rows = $15
     WHERE network = $1::network AND name = $2 AND next_height = $3 AND last_id IS NOT DISTINCT FROM $4
       AND first_height = $14`,
    [
      before.network,
      before.name,
      before.next,
      before.lastId,
      after.next,
      after.lastId,
      after.lastTime,
      after.memo && JSON.stringify(after.memo),
      JSON.stringify(after.counters),
      head,
      after.next > head ? new Date() : null,
      after.first,
      after.firstParent,
      before.first,
      after.refusedRows,
    ],
  );
  if (rowCount !== 1)
    throw new Outrun(`another follower has moved ${before.name} on from height ${before.next}`);
}
