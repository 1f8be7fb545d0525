import type { Database, Transaction } from '../../storage/prisma.js';

/** How long a process makes the events of webhooks before it has to say so again, seconds. */
const HELD_SECONDS = 10;
/** Events that wait for one webhook, and bytes of their bodies: with as many it is full, and falls behind. */
export const MOST_QUEUED = 10_000;
export const MOST_BYTES = 16 * 2 ** 20;
/** Webhooks with a position of their own that go on in one step. */
const MOST_OTHERS = 256;

/** Where the events of webhooks are made from. */
export interface Standing {
  /** The entry up to which every webhook that has no other position has its events. */
  readonly common: number;
  readonly step: bigint;
  /** Row ids of webhooks with another position, and room; decimal digits. */
  readonly others: readonly string[];
  /** The least of their positions; null without any. */
  readonly least: number | null;
  /** Whether any webhook has no other position. */
  readonly hasCommon: boolean;
}

/** Makes the row in which the position stands. @returns true: it is there */
export async function ensurePosition(prisma: Pick<Database, '$executeRaw'>): Promise<true> {
  await prisma.$executeRaw`
    INSERT INTO webhook_position (id, entry) SELECT 1, coalesce((SELECT f.id FROM feed f ORDER BY f.id DESC LIMIT 1), 0)
    ON CONFLICT (id) DO NOTHING`;
  return true;
}

/**
 * Where to go on; null if another process makes the events, or no webhook is active.
 *
 * @param holder a UUID of this process
 */
export async function readStanding(
  prisma: Pick<Database, '$queryRaw'>,
  holder: string,
): Promise<Standing | null> {
  const [state] = await prisma.$queryRaw<
    { entry: bigint; step: bigint; isHeld: boolean; hasCommon: boolean; hasOthers: boolean }[]
  >`
    SELECT p.entry, p.step, coalesce(p.holder = ${holder}::uuid AND p.held_until > now() + interval '5 seconds', false) AS "isHeld",
      EXISTS (SELECT 1 FROM webhook w WHERE w.is_active AND w.position IS NULL) AS "hasCommon",
      EXISTS (SELECT 1 FROM webhook w WHERE w.is_active AND w.position IS NOT NULL) AS "hasOthers"
    FROM webhook_position p`;
  if (!state || !(state.hasCommon || state.hasOthers)) return null;
  if (!state.isHeld && !(await hold(prisma, holder))) return null;
  const others = state.hasOthers
    ? await prisma.$queryRaw<{ id: string; position: bigint }[]>`
        SELECT id::text AS id, position FROM webhook
        WHERE is_active AND position IS NOT NULL AND queued < ${MOST_QUEUED / 2} AND queued_bytes < ${MOST_BYTES / 2}
        ORDER BY position LIMIT ${MOST_OTHERS}`
    : [];
  return {
    common: Number(state.entry),
    step: state.step,
    others: others.map(({ id }) => id),
    least: others[0] ? Number(others[0].position) : null,
    hasCommon: state.hasCommon,
  };
}

async function hold(prisma: Pick<Database, '$queryRaw'>, holder: string): Promise<boolean> {
  const held = await prisma.$queryRaw<object[]>`
    UPDATE webhook_position SET holder = ${holder}::uuid, held_until = now() + ${HELD_SECONDS}::float8 * interval '1 second'
    WHERE holder IS NULL OR holder = ${holder}::uuid OR held_until < now() RETURNING id`;
  return held.length > 0;
}

/** Lets another process make the events. */
export async function letGo(prisma: Pick<Database, '$executeRaw'>, holder: string): Promise<void> {
  await prisma.$executeRaw`UPDATE webhook_position SET holder = NULL WHERE holder = ${holder}::uuid`;
}

/**
 * Moves the positions on, if no other process has; webhooks that have reached the common one have no other
 * any more.
 *
 * @param upTo the entry up to which they have their events
 * @returns whether they moved: else nothing of this step may be stored
 */
export async function moveOn(
  transaction: Transaction,
  { common, step, others }: Standing,
  upTo: number,
): Promise<boolean> {
  const next = Math.max(common, upTo);
  const moved = await transaction.$executeRaw`
    UPDATE webhook_position SET entry = ${next}, step = step + 1 WHERE step = ${step}`;
  if (moved === 0) return false;
  if (others.length > 0)
    await transaction.$executeRaw`
      UPDATE webhook SET position = CASE WHEN greatest(position, ${upTo}) >= ${next} THEN NULL ELSE greatest(position, ${upTo}) END
      WHERE id = ANY(${others}::bigint[]) AND position IS NOT NULL`;
  return true;
}

/** Webhooks that are full get no events beyond an entry until half of theirs were sent. */
export async function holdFull(
  transaction: Transaction,
  rowIds: readonly string[],
  upTo: number,
): Promise<void> {
  await transaction.$executeRaw`
    UPDATE webhook SET position = least(coalesce(position, ${upTo}), ${upTo}) WHERE id = ANY(${rowIds}::bigint[])
      AND (queued >= ${MOST_QUEUED} OR queued_bytes >= ${MOST_BYTES})`;
}

/**
 * Notes that entries are no longer kept of which some webhooks have not got their events, which go on with
 * the oldest.
 *
 * @returns the webhooks
 */
export function skipLost(transaction: Transaction, from: number, oldest: number): Promise<{ id: string }[]> {
  return transaction.$queryRaw<{ id: string }[]>`
    UPDATE webhook w SET missed_at = now(), position = ${oldest - 1}
    FROM webhook_position p
    WHERE w.is_active AND coalesce(w.position, p.entry) = ${from} RETURNING w.public_id::text AS id`;
}
