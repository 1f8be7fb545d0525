import type { Logger } from 'pino';
import type { JobHandlers, Run } from '../../jobs/consumer.js';
import type { Queue } from '../../jobs/queue.js';
import { OutboundError } from '../../outbound/error.js';
import type { Outbound } from '../../outbound/request.js';
import type { Storage } from '../../storage/open.js';
import type { Database, Transaction } from '../../storage/prisma.js';
import { sendBy } from './dispatch.js';
import type { WebhookJob } from './queue.js';
import { signatureOf, type WebhookSecrets } from './secret.js';

/** How long the next attempt of an event waits after each that failed, seconds; the last one repeats. */
export const PAUSES = [10, 60, 300, 600, 1800, 7200] as const;
/** Events that are older are set aside when they fail. */
const GIVEN_UP_HOURS = 24;
/** How long those are kept, and how many of a webhook. */
const ASIDE_DAYS = 7;
const MOST_ASIDE = 1000;
/** What is kept of the reason of a failure, characters. */
const LONGEST_REASON = 300;

/** What a job that sends needs. */
export interface DeliveryDeps {
  readonly storage: Pick<Storage, 'prisma'>;
  readonly outbound: Outbound;
  readonly secrets: WebhookSecrets;
  readonly enqueue: Queue['enqueue'];
  readonly log: Logger;
  /** How long one job sends before it lets the others have their turn, milliseconds. */
  readonly turnMs: number;
  /** See PAUSES. */
  readonly pauses: readonly [number, ...number[]];
  /** Called for each attempt. */
  readonly attempted: (outcome: 'sent' | 'failed' | 'set_aside') => void;
}

/** The next event of a webhook, while a job is its own. */
interface Next {
  readonly eventId: bigint | null;
  readonly body: string;
  readonly isOld: boolean;
  readonly url: string;
  readonly keyId: number;
  readonly failures: number;
  readonly bytes: number;
}

/** What a job of a webhook does: sends its events one after the other, until one fails or none is left. */
export function deliveryHandlers(deps: DeliveryDeps): JobHandlers<WebhookJob> {
  return {
    run: (run, signal) => runJob(deps, run, signal),
    lost: ({ jobId, webhook }) => sendAgain(deps, jobId, webhook),
  };
}

/** A job that was lost with its process each time: another one goes on. */
async function sendAgain(
  { storage, enqueue, pauses }: DeliveryDeps,
  jobId: string,
  webhook: string,
): Promise<void> {
  await storage.prisma.$transaction(async (transaction) => {
    const mine = await transaction.$queryRaw<object[]>`
      SELECT 1 FROM webhook WHERE id = ${webhook}::bigint AND job_id = ${jobId}::uuid FOR UPDATE`;
    if (mine.length > 0) await sendBy(transaction, enqueue, webhook, pauses[0]);
  });
}

async function runJob(deps: DeliveryDeps, run: Run<WebhookJob>, stopping: AbortSignal): Promise<void> {
  const { storage, enqueue, pauses } = deps;
  const { jobId, webhook } = run.job;
  const later = (afterSeconds: number, also?: (transaction: Transaction) => Promise<unknown>) =>
    storage.prisma.$transaction(async (transaction) => {
      await also?.(transaction);
      await sendBy(transaction, enqueue, webhook, afterSeconds);
      await run.complete(transaction);
    });
  const end = Date.now() + deps.turnMs;
  while (Date.now() < end && !stopping.aborted) {
    const next = await nextEvent(storage.prisma, webhook, jobId);
    if (!next) return void (await storage.prisma.$transaction(run.complete));
    if (next.eventId === null) {
      if (await hasEnded(storage.prisma, run)) return;
      continue;
    }
    const failure = await send(deps, next, stopping);
    if (stopping.aborted && failure !== null) break;
    if (failure === null) {
      deps.attempted('sent');
      await storage.prisma.$transaction((transaction) => sent(transaction, webhook, next));
      continue;
    }
    deps.attempted(next.isOld ? 'set_aside' : 'failed');
    deps.log.debug({ webhook, failure }, 'an event of a webhook was not taken');
    if (next.isOld) return void (await later(pauses[0], (each) => setAside(each, webhook, next, failure)));
    const pause = pauses[Math.min(next.failures, pauses.length - 1)] ?? pauses[0];
    return void (await later(pause, (each) => failed(each, webhook, next, failure)));
  }
  await later(0);
}

async function nextEvent(
  prisma: Pick<Database, '$queryRaw'>,
  webhook: string,
  jobId: string,
): Promise<Next | undefined> {
  const [next] = await prisma.$queryRaw<Next[]>`
    SELECT e.id AS "eventId", e.body, octet_length(e.body) AS bytes, w.url, w.key_id AS "keyId", w.failures,
      e.made_at < now() - ${GIVEN_UP_HOURS}::float8 * interval '1 hour' AS "isOld"
    FROM webhook w JOIN api_key k ON k.id = w.key_id
    LEFT JOIN LATERAL (
      SELECT * FROM webhook_event e WHERE e.webhook_id = w.id AND e.set_aside_at IS NULL
        AND w.is_active AND NOT w.is_paused AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
      ORDER BY e.id LIMIT 1) e ON true
    WHERE w.id = ${webhook}::bigint AND w.job_id = ${jobId}::uuid`;
  return next;
}

/** Ends the job of a webhook that has nothing to send; false if it has something again. */
async function hasEnded(prisma: Database, { job, complete }: Run<WebhookJob>): Promise<boolean> {
  return prisma.$transaction(async (transaction) => {
    const ended = await transaction.$executeRaw`
      UPDATE webhook w SET job_id = NULL FROM api_key k
      WHERE w.id = ${job.webhook}::bigint AND w.job_id = ${job.jobId}::uuid AND k.id = w.key_id
        AND (w.queued = 0 OR w.is_paused OR NOT w.is_active OR k.revoked_at IS NOT NULL OR k.expires_at <= now())`;
    if (ended > 0) await complete(transaction);
    return ended > 0;
  });
}

/** Sends an event. @returns why it was not taken; null if it was */
async function send(
  { outbound, secrets }: DeliveryDeps,
  { url, body, keyId }: Next,
  signal: AbortSignal,
): Promise<string | null> {
  const secret = await secrets.read(keyId);
  if (secret === null) return 'the key has no secret';
  const time = String(Math.floor(Date.now() / 1000));
  const headers = {
    'content-type': 'application/json',
    'x-signature': signatureOf(secret, body),
    'x-moraine-timestamp': time,
    'x-moraine-signature': signatureOf(secret, `${time}.${body}`),
  };
  try {
    const { status } = await outbound({
      url,
      name: 'the receiver',
      method: 'POST',
      headers,
      body,
      maxBytes: 0,
      unread: /^/,
      signal,
    });
    return status >= 200 && status < 300 ? null : `the receiver answered ${status}`;
  } catch (error) {
    if (error instanceof OutboundError) return error.message.slice(0, LONGEST_REASON);
    if (signal.aborted) return 'this process is stopping';
    throw error;
  }
}

async function sent(transaction: Transaction, webhook: string, { eventId, bytes }: Next): Promise<void> {
  const gone = await transaction.$executeRaw`DELETE FROM webhook_event WHERE id = ${eventId}`;
  if (gone > 0) await leave(transaction, webhook, bytes);
}

/** An event leaves the queue of a webhook. */
async function leave(transaction: Transaction, webhook: string, bytes: number): Promise<void> {
  await transaction.$executeRaw`
    UPDATE webhook SET queued = queued - 1, queued_bytes = queued_bytes - ${bytes}, failures = 0
    WHERE id = ${webhook}::bigint`;
}

async function failed(
  transaction: Transaction,
  webhook: string,
  { eventId }: Next,
  reason: string,
): Promise<void> {
  await transaction.$executeRaw`UPDATE webhook_event SET reason = ${reason} WHERE id = ${eventId}`;
  await transaction.$executeRaw`UPDATE webhook SET failures = failures + 1 WHERE id = ${webhook}::bigint`;
}

async function setAside(
  transaction: Transaction,
  webhook: string,
  { eventId, bytes }: Next,
  reason: string,
): Promise<void> {
  const aside = await transaction.$executeRaw`
    UPDATE webhook_event SET set_aside_at = now(), reason = ${reason} WHERE id = ${eventId} AND set_aside_at IS NULL`;
  if (aside > 0) await leave(transaction, webhook, bytes);
  await transaction.$executeRaw`
    DELETE FROM webhook_event WHERE id IN (
      SELECT id FROM (
        SELECT id, set_aside_at, row_number() OVER (ORDER BY set_aside_at DESC, id DESC) AS nth FROM webhook_event
        WHERE webhook_id = ${webhook}::bigint AND set_aside_at IS NOT NULL) aside
      WHERE nth > ${MOST_ASIDE} OR set_aside_at < now() - ${ASIDE_DAYS}::float8 * interval '1 day')`;
}
