import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Queue } from '../../jobs/queue.js';
import { readEntries, readNewest, type FeedEntry } from '../../live/entry.js';
import { statement } from '../../storage/statement.js';
import type { Reader } from '../../storage/reader.js';
import type { Transaction } from '../../storage/prisma.js';
import { crossedBalances, crossedFeeBalances, type Crossed, type NewLevel, type Touched } from './levels.js';
import { outputEvents } from './output-events.js';
import { holdFull, moveOn, readStanding, skipLost, type Standing } from './position.js';
import type { WebhookJob } from './queue.js';
import type { MadeEvent, EntryContext } from './targets.js';
import { validatorEvents } from './validator-events.js';

/** Entries of the feed that are read in one step: what they tell may be more than a queue has room for. */
const READ = 16;
/** Of what commits write first, what webhooks are about. */
const kinds = ['utxo', 'spent_utxo', 'transaction', 'block'] as const;

/** What makes events of commits. */
export interface DispatchDeps {
  /** On the primary: a replica may not have a commit yet. */
  readonly reader: () => Reader;
  readonly enqueue: Queue['enqueue'];
  readonly log: Logger;
  /** A UUID of this process. */
  readonly holder: string;
}

/** What one step did. */
export type StepOutcome = 'idle' | 'waiting' | 'moved' | 'made';

/**
 * Makes the events of the next entries of the feed, puts them into the queues of the webhooks that they are
 * for, and moves the position: all or nothing, so that a process that dies loses none and makes none twice.
 *
 * @returns idle: no webhook is active, or another process does it; waiting: there are no more entries yet;
 *   moved: there may be; made: the same, and events are to be sent
 * @throws what the database throws
 */
export async function dispatchStep({ reader, enqueue, log, holder }: DispatchDeps): Promise<StepOutcome> {
  const storage = reader();
  const standing = await readStanding(storage.prisma, holder);
  if (!standing) return 'idle';
  const from = fromOf(standing);
  if (from === null) return 'waiting';
  const read = await readNext(storage, from);
  const { entries, upTo, lost } = read;
  if (lost !== undefined) {
    await goOn(storage, from, lost, log);
    return 'moved';
  }
  if (upTo === from) return 'waiting';
  const made = await eventsOf(storage, entries, { common: standing.common, others: standing.others });
  await storage.prisma.$transaction(async (transaction) => {
    if (!(await moveOn(transaction, standing, upTo))) return;
    await storeLevels(transaction, made.levels);
    await storeEvents(transaction, made.events);
    const webhooks = [...new Set(made.events.map(({ rowId }) => rowId))];
    await holdFull(transaction, webhooks, upTo);
    await sendSoon(transaction, enqueue, webhooks);
  });
  return made.events.length > 0 ? 'made' : 'moved';
}

function fromOf({ common, least, hasCommon }: Standing): number | null {
  if (!hasCommon) return least;
  return Math.min(common, least ?? common);
}

/** The entries after one; `lost` is the oldest that is kept where some before it are not. */
async function readNext(
  storage: Reader,
  from: number,
): Promise<{ entries: FeedEntry[]; upTo: number; lost?: number }> {
  // Before the entries: one that commits in between is read next time.
  const newest = Math.max(await readNewest(storage), from);
  const found = await readEntries(storage, from, kinds, READ + 1);
  if (from > 0 && found[0]?.id !== from) {
    const [kept] = await storage.read<{ id: string }>(oldestEntry, []);
    const oldest = Number(kept?.id ?? 0);
    if (oldest > from + 1) return { entries: [], upTo: from, lost: oldest };
  }
  const entries = found.filter(({ id }) => id > from);
  const upTo = found.length > READ ? entries.at(-1)!.id : Math.max(newest, entries.at(-1)?.id ?? 0);
  return { entries, upTo };
}

const oldestEntry = statement('feed_oldest', 'SELECT f.id::text AS id FROM feed f ORDER BY f.id LIMIT 1');

async function goOn(storage: Reader, from: number, oldest: number, log: Logger): Promise<void> {
  const webhooks = await storage.prisma.$transaction((transaction) => skipLost(transaction, from, oldest));
  log.warn(
    { webhooks: webhooks.map(({ id }) => id) },
    'webhooks were behind for too long: events may be missed',
  );
}

/** What entries tell, in their order, and then what thresholds do. */
async function eventsOf(
  storage: Reader,
  entries: readonly FeedEntry[],
  standing: Omit<EntryContext, 'entry'>,
): Promise<Crossed> {
  const events: MadeEvent[] = [];
  const touched: Touched[] = [];
  const levels: NewLevel[] = [];
  const onP = entries.filter(({ chain, network }) => chain === 'p' && network);
  for (const entry of entries.filter(({ isBackfill }) => !isBackfill)) {
    const context = { ...standing, entry: entry.id };
    if (entry.kind === 'transaction') events.push(...(await validatorEvents(storage, entry, context)));
    if (entry.kind !== 'utxo' && entry.kind !== 'spent_utxo') continue;
    const made = await outputEvents(storage, entry, context);
    events.push(...made.events);
    touched.push(...made.touched);
  }
  const crossed = [await crossedBalances(storage, touched)];
  const last = new Map(onP.map(({ network, id }) => [network!, id]));
  for (const [network, entry] of last)
    crossed.push(await crossedFeeBalances(storage, network, { ...standing, entry }));
  for (const each of crossed) {
    events.push(...each.events);
    levels.push(...each.levels);
  }
  return { events, levels };
}

async function storeLevels(transaction: Transaction, levels: readonly NewLevel[]): Promise<void> {
  if (levels.length === 0) return;
  await transaction.$executeRaw`
    INSERT INTO webhook_level (webhook_id, subject, is_above)
    SELECT given.* FROM unnest(${levels.map(({ rowId }) => rowId)}::bigint[], ${levels.map(({ subject }) => subject)}::text[],
      ${levels.map(({ isAbove }) => isAbove)}::boolean[]) given(webhook_id, subject, is_above)
    WHERE EXISTS (SELECT 1 FROM webhook w WHERE w.id = given.webhook_id)
    ON CONFLICT (webhook_id, subject) DO UPDATE SET is_above = excluded.is_above`;
}

async function storeEvents(transaction: Transaction, events: readonly MadeEvent[]): Promise<void> {
  if (events.length === 0) return;
  await transaction.$executeRaw`
    WITH added AS (
      INSERT INTO webhook_event (webhook_id, body)
      SELECT given.webhook_id, given.body
      FROM unnest(${events.map(({ rowId }) => rowId)}::bigint[], ${events.map(({ body }) => body)}::text[])
        WITH ORDINALITY given(webhook_id, body, nth)
      JOIN webhook w ON w.id = given.webhook_id AND w.is_active
      ORDER BY given.nth
      RETURNING webhook_id, octet_length(body) AS bytes)
    UPDATE webhook w SET queued = w.queued + sums.events, queued_bytes = w.queued_bytes + sums.bytes
    FROM (SELECT webhook_id, count(*) AS events, sum(bytes) AS bytes FROM added GROUP BY webhook_id) sums
    WHERE w.id = sums.webhook_id`;
}

/** Adds a job for each of these webhooks that has none, and something to send. */
export async function sendSoon(
  transaction: Transaction,
  enqueue: Queue['enqueue'],
  rowIds: readonly string[],
): Promise<void> {
  const idle = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id::text AS id FROM webhook
    WHERE id = ANY(${rowIds}::bigint[]) AND job_id IS NULL AND is_active AND NOT is_paused AND queued > 0
    ORDER BY webhook.id FOR UPDATE`;
  for (const { id } of idle) await sendBy(transaction, enqueue, id, 0);
}

/** Adds the job that sends a webhook's events. @param afterSeconds how long it waits */
export async function sendBy(
  transaction: Transaction,
  enqueue: Queue['enqueue'],
  rowId: string,
  afterSeconds: number,
): Promise<void> {
  const job: WebhookJob = { jobId: randomUUID(), webhook: rowId };
  await transaction.$executeRaw`
    UPDATE webhook SET job_id = ${job.jobId}::uuid WHERE id = ${rowId}::bigint`;
  await enqueue(transaction, job, afterSeconds);
}
