import type { Run } from '../../jobs/consumer.js';
import type { Database, Transaction } from '../../storage/prisma.js';
import type { WebhookJob } from './queue.js';
import type { SealedSecret } from './secret.js';

/** Events that are older are set aside when they fail. */
const GIVEN_UP_HOURS = 24;
/** How long those are kept, and how many of a webhook. */
const ASIDE_DAYS = 7;
const MOST_ASIDE = 1000;

/** The next event of a webhook, while a job is its own. */
export interface Next {
  readonly eventId: bigint | null;
  readonly body: string;
  readonly isOld: boolean;
  readonly url: string;
  readonly secret: SealedSecret | null;
  readonly failures: number;
  readonly bytes: number;
}

/**
 * The next event of a webhook, with what signs it: one statement, because it is done for each event. No event
 * where nothing is to be sent now, and undefined where another job is the webhook's.
 */
export async function nextEvent(
  prisma: Pick<Database, '$queryRaw'>,
  webhook: string,
  jobId: string,
): Promise<Next | undefined> {
  const [next] = await prisma.$queryRaw<(Next & { sealed: Uint8Array | null; hash: Uint8Array })[]>`
    SELECT e.id AS "eventId", e.body, octet_length(e.body) AS bytes, w.url, w.failures, s.sealed, k.hash,
      e.made_at < now() - ${GIVEN_UP_HOURS}::float8 * interval '1 hour' AS "isOld"
    FROM webhook w JOIN api_key k ON k.id = w.key_id LEFT JOIN webhook_secret s ON s.key_id = w.key_id
    LEFT JOIN LATERAL (
      SELECT * FROM webhook_event e WHERE e.webhook_id = w.id AND e.set_aside_at IS NULL
        AND w.is_active AND NOT w.is_paused AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
      ORDER BY e.id LIMIT 1) e ON true
    WHERE w.id = ${webhook}::bigint AND w.job_id = ${jobId}::uuid`;
  if (!next) return undefined;
  const { sealed, hash, ...event } = next;
  return { ...event, secret: sealed && { sealed, hash } };
}

/** Ends the job of a webhook that has nothing to send; false if it has something again. */
export async function hasEnded(prisma: Database, { job, complete }: Run<WebhookJob>): Promise<boolean> {
  return prisma.$transaction(async (transaction) => {
    const ended = await transaction.$executeRaw`
      UPDATE webhook w SET job_id = NULL FROM api_key k
      WHERE w.id = ${job.webhook}::bigint AND w.job_id = ${job.jobId}::uuid AND k.id = w.key_id
        AND (w.queued = 0 OR w.is_paused OR NOT w.is_active OR k.revoked_at IS NOT NULL OR k.expires_at <= now())`;
    if (ended > 0) await complete(transaction);
    return ended > 0;
  });
}

/** An event was taken. One statement, because it is done for each event. */
export async function sent(prisma: Pick<Database, '$executeRaw'>, { eventId, bytes }: Next): Promise<void> {
  await prisma.$executeRaw`
    WITH gone AS (DELETE FROM webhook_event WHERE id = ${eventId} RETURNING webhook_id)
    UPDATE webhook w SET queued = w.queued - 1, queued_bytes = w.queued_bytes - ${bytes}, failures = 0
    FROM gone WHERE w.id = gone.webhook_id`;
}

/** An event was not taken, and is tried again. */
export async function failed(
  transaction: Transaction,
  webhook: string,
  { eventId }: Next,
  reason: string,
): Promise<void> {
  await transaction.$executeRaw`UPDATE webhook_event SET reason = ${reason} WHERE id = ${eventId}`;
  await transaction.$executeRaw`UPDATE webhook SET failures = failures + 1 WHERE id = ${webhook}::bigint`;
}

/** An event is given up; of those that were, the newest stay for some days. */
export async function setAside(
  transaction: Transaction,
  webhook: string,
  { eventId, bytes }: Next,
  reason: string,
): Promise<void> {
  await transaction.$executeRaw`
    WITH aside AS (
      UPDATE webhook_event SET set_aside_at = now(), reason = ${reason} WHERE id = ${eventId} AND set_aside_at IS NULL
      RETURNING webhook_id)
    UPDATE webhook w SET queued = w.queued - 1, queued_bytes = w.queued_bytes - ${bytes}, failures = 0
    FROM aside WHERE w.id = aside.webhook_id`;
  await transaction.$executeRaw`
    DELETE FROM webhook_event WHERE id IN (
      SELECT id FROM (
        SELECT id, set_aside_at, row_number() OVER (ORDER BY set_aside_at DESC, id DESC) AS nth FROM webhook_event
        WHERE webhook_id = ${webhook}::bigint AND set_aside_at IS NOT NULL) aside
      WHERE nth > ${MOST_ASIDE} OR set_aside_at < now() - ${ASIDE_DAYS}::float8 * interval '1 day')`;
}
