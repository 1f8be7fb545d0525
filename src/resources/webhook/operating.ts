import type { Queue } from '../../jobs/queue.js';
import type { Database } from '../../storage/prisma.js';
import { sendSoon } from './dispatch.js';

/** A webhook as its operator sees it. */
export interface OperatedWebhook {
  readonly id: string;
  readonly keyId: number;
  readonly keyName: string;
  readonly eventType: string;
  readonly network: string;
  readonly chain: string;
  readonly url: string;
  readonly isActive: boolean;
  readonly isPaused: boolean;
  readonly queued: number;
  readonly setAside: number;
  readonly failures: number;
  /** Why the next event was not taken; null if it was not tried. */
  readonly reason: string | null;
  readonly missedAt: Date | null;
}

/** An event that was set aside. */
export interface SetAsideEvent {
  readonly id: string;
  readonly madeAt: Date;
  readonly setAsideAt: Date;
  readonly reason: string | null;
}

/** All webhooks, in the order in which they were made. */
export function listWebhooks(prisma: Pick<Database, '$queryRaw'>): Promise<OperatedWebhook[]> {
  return prisma.$queryRaw<OperatedWebhook[]>`
    SELECT w.public_id::text AS id, w.key_id AS "keyId", k.name AS "keyName", w.event_type AS "eventType",
      w.network::text AS network, w.chain::text AS chain, w.url, w.is_active AS "isActive", w.is_paused AS "isPaused",
      w.queued, w.failures, w.missed_at AS "missedAt",
      (SELECT count(*)::int FROM webhook_event e WHERE e.webhook_id = w.id AND e.set_aside_at IS NOT NULL) AS "setAside",
      (SELECT e.reason FROM webhook_event e WHERE e.webhook_id = w.id AND e.set_aside_at IS NULL
        ORDER BY e.id LIMIT 1) AS reason
    FROM webhook w JOIN api_key k ON k.id = w.key_id ORDER BY w.id`;
}

/** The events of a webhook that were set aside, oldest first; null if there is no such webhook. */
export async function listSetAside(
  prisma: Pick<Database, '$queryRaw'>,
  id: string,
): Promise<SetAsideEvent[] | null> {
  const rows = await prisma.$queryRaw<(SetAsideEvent | { id: null })[]>`
    SELECT e.id::text AS id, e.made_at AS "madeAt", e.set_aside_at AS "setAsideAt", e.reason
    FROM webhook w LEFT JOIN webhook_event e ON e.webhook_id = w.id AND e.set_aside_at IS NOT NULL
    WHERE w.public_id = ${id}::uuid ORDER BY e.id`;
  return rows.length === 0 ? null : rows.filter((row): row is SetAsideEvent => row.id !== null);
}

/** Lets the events of a webhook wait, or sends them again. @returns whether there is one */
export function setPaused(
  prisma: Pick<Database, '$transaction'>,
  enqueue: Queue['enqueue'],
  id: string,
  isPaused: boolean,
): Promise<boolean> {
  return prisma.$transaction(async (transaction) => {
    const [changed] = await transaction.$queryRaw<{ rowId: string }[]>`
      UPDATE webhook SET is_paused = ${isPaused} WHERE public_id = ${id}::uuid RETURNING id::text AS "rowId"`;
    if (changed) await sendSoon(transaction, enqueue, [changed.rowId]);
    return changed !== undefined;
  });
}

/**
 * Queues the events of a webhook that were set aside again: they are sent before newer ones, and given up a
 * day from now.
 *
 * @returns how many; null if there is no such webhook
 */
export function replay(
  prisma: Pick<Database, '$transaction'>,
  enqueue: Queue['enqueue'],
  id: string,
): Promise<number | null> {
  return prisma.$transaction(async (transaction) => {
    const [webhook] = await transaction.$queryRaw<{ rowId: string }[]>`
      SELECT id::text AS "rowId" FROM webhook WHERE public_id = ${id}::uuid FOR UPDATE`;
    if (!webhook) return null;
    const { rowId } = webhook;
    const [queued] = await transaction.$queryRaw<{ events: number; bytes: bigint }[]>`
      WITH back AS (
        UPDATE webhook_event SET set_aside_at = NULL, made_at = now()
        WHERE webhook_id = ${rowId}::bigint AND set_aside_at IS NOT NULL RETURNING octet_length(body) AS bytes)
      SELECT count(*)::int AS events, coalesce(sum(bytes), 0)::bigint AS bytes FROM back`;
    await transaction.$executeRaw`
      UPDATE webhook SET queued = queued + ${queued!.events}, queued_bytes = queued_bytes + ${queued!.bytes}
      WHERE id = ${rowId}::bigint`;
    await sendSoon(transaction, enqueue, [rowId]);
    return queued!.events;
  });
}
