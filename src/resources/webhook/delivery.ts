import type { Logger } from 'pino';
import type { JobHandlers, Run } from '../../jobs/consumer.js';
import type { Queue } from '../../jobs/queue.js';
import { OutboundError } from '../../outbound/error.js';
import type { Outbound } from '../../outbound/request.js';
import type { Database, Transaction } from '../../storage/prisma.js';
import { sendBy } from './dispatch.js';
import type { WebhookJob } from './queue.js';
import { failed, hasEnded, nextEvent, sent, setAside, type Next } from './queued-events.js';
import { SealedSecretError, signatureOf, type WebhookSecrets } from './secret.js';

/** How long the next attempt of an event waits after each that failed, seconds; the last one repeats. */
export const PAUSES = [10, 60, 300, 600, 1800, 7200] as const;
/** What is kept of the reason of a failure, characters. */
const LONGEST_REASON = 300;

/** What a job that sends needs. */
export interface DeliveryDeps {
  readonly prisma: Database;
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

/** What a job of a webhook does: sends its events one after the other, until one fails or none is left. */
export function deliveryHandlers(deps: DeliveryDeps): JobHandlers<WebhookJob> {
  return {
    run: (run, signal) => runJob(deps, run, signal),
    lost: ({ jobId, webhook }) => sendAgain(deps, jobId, webhook),
  };
}

/** A job that was lost with its process each time: another one goes on. */
async function sendAgain(
  { prisma, enqueue, pauses }: DeliveryDeps,
  jobId: string,
  webhook: string,
): Promise<void> {
  await prisma.$transaction(async (transaction) => {
    const mine = await transaction.$queryRaw<object[]>`
      SELECT 1 FROM webhook WHERE id = ${webhook}::bigint AND job_id = ${jobId}::uuid FOR UPDATE`;
    if (mine.length > 0) await sendBy(transaction, enqueue, webhook, pauses[0]);
  });
}

async function runJob(deps: DeliveryDeps, run: Run<WebhookJob>, stopping: AbortSignal): Promise<void> {
  const { prisma, enqueue, pauses } = deps;
  const { jobId, webhook } = run.job;
  const later = (afterSeconds: number, also?: (transaction: Transaction) => Promise<unknown>) =>
    prisma.$transaction(async (transaction) => {
      await also?.(transaction);
      await sendBy(transaction, enqueue, webhook, afterSeconds);
      await run.complete(transaction);
    });
  const end = Date.now() + deps.turnMs;
  while (Date.now() < end && !stopping.aborted) {
    const next = await nextEvent(prisma, webhook, jobId);
    if (!next) return void (await prisma.$transaction(run.complete));
    if (next.eventId === null) {
      if (await hasEnded(prisma, run)) return;
      continue;
    }
    // It may have waited long for a connection: once the job counts as lost, another one sends the event.
    if (Date.now() >= end) break;
    const failure = await send(deps, next, stopping);
    if (stopping.aborted && failure !== null) break;
    if (failure === null) {
      deps.attempted('sent');
      await sent(prisma, next);
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

/** Sends an event. @returns why it was not taken; null if it was */
async function send(
  { outbound, secrets }: DeliveryDeps,
  { url, body, secret: sealed }: Next,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    if (sealed === null) return 'the key has no secret';
    const secret = secrets.open(sealed);
    const time = String(Math.floor(Date.now() / 1000));
    const headers = {
      'content-type': 'application/json',
      'x-signature': signatureOf(secret, body),
      'x-moraine-timestamp': time,
      'x-moraine-signature': signatureOf(secret, `${time}.${body}`),
    };
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
    if (error instanceof OutboundError || error instanceof SealedSecretError)
      return error.message.slice(0, LONGEST_REASON);
    if (signal.aborted) return 'this process is stopping';
    throw error;
  }
}
