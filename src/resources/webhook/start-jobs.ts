import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../../config.js';
import { startConsumer, type Consumer } from '../../jobs/consumer.js';
import { defaultTimes, openQueue, type JobTimes } from '../../jobs/queue.js';
import { Pause } from '../../live/pause.js';
import { createOutbound } from '../../outbound/fetch.js';
import { parseTarget, resolveTarget, systemResolve, type Resolve } from '../../outbound/target.js';
import { Abandon } from '../../storage/abandon.js';
import { loadInstallation } from '../../storage/installation.js';
import type { Reader } from '../../storage/reader.js';
import type { Storage } from '../../storage/open.js';
import { FEED_CHANNEL } from '../../write/feed.js';
import { deliveryHandlers, PAUSES } from './delivery.js';
import { dispatchStep, type DispatchDeps } from './dispatch.js';
import { ensurePosition, letGo } from './position.js';
import { webhookQueue } from './queue.js';
import { sealingKey, WebhookSecrets } from './secret.js';

/** How often the feed is read where no notice arrives, and how often without webhooks, milliseconds. */
const LOOK_MS = 1000;
const IDLE_MS = 5000;
/** How long a receiver has for each event, as in the published API, milliseconds. */
const ANSWER_MS = 10_000;
/** Who makes events wakes those who send them; pauses are longer than this. */
const sendingTimes: JobTimes = { ...defaultTimes, poll: 5 };
/** Webhooks to which a process sends at a time: those that hang must not keep all others waiting. */
const SENDING = 8;
/** Whose share of the pool making events and sending them uses. */
const CALLER = 'webhooks';
/** How attempts to send ended, in this process. */
export type Attempts = Readonly<Record<'sent' | 'failed' | 'set_aside', number>>;

/** The webhooks of a process. */
export interface Webhooks {
  readonly secrets: WebhookSecrets;
  readonly attempts: Attempts;
  /** @throws OutboundError for an address to which nothing may be sent, whatever its name means */
  checkUrl(url: string): Promise<void>;
  /** If this process makes and sends events, it looks for some now. */
  wake(): void;
  /** Returns running jobs to the queue; before the database is closed. */
  stop(): Promise<void>;
}

declare module '../../graphql/context.js' {
  interface Services {
    webhooks: Webhooks;
  }
}

export interface WebhookOptions {
  times?: JobTimes | undefined;
  /** Of names, instead of the system's. */
  resolve?: Resolve | undefined;
  /** How long the next attempt waits after each failure, seconds; the last one repeats. */
  pauses?: readonly [number, ...number[]] | undefined;
  /** How long a receiver has for each event, milliseconds. */
  answerMs?: number | undefined;
}

/**
 * Opens what webhooks need and, unless WORKER=off, makes events of commits and sends them.
 *
 * @throws StorageError when the queue's tables are missing or of another version
 */
export async function startWebhooks(
  config: Pick<Config, 'WORKER' | 'WEBHOOK_KEY' | 'FETCH_ALLOW_LOOPBACK'>,
  storage: Storage,
  log: Logger,
  {
    times = sendingTimes,
    resolve = systemResolve,
    pauses = PAUSES,
    answerMs = ANSWER_MS,
  }: WebhookOptions = {},
): Promise<Webhooks> {
  const { secret } = await loadInstallation(storage.prisma);
  const secrets = new WebhookSecrets(storage.prisma, sealingKey(config.WEBHOOK_KEY, secret));
  const attempts = { sent: 0, failed: 0, set_aside: 0 };
  const { FETCH_ALLOW_LOOPBACK: allowLoopback } = config;
  const queue = await openQueue(storage, log, webhookQueue, times);
  const { enqueue } = queue;
  const isWorking = config.WORKER && !(await storage.isReadOnly());
  const limits = { connectMs: answerMs / 2, idleMs: answerMs, totalMs: answerMs };
  const outbound = createOutbound({ allowLoopback, resolve, limits });
  // Half of a run's time: the last event of a turn may take as long as an answer.
  const turnMs = times.run * 500;
  // After a turn an answer is waited for, and a connection: less than until the job counts as lost.
  const patienceMs = ((times.lost - times.run) * 1000) / 3;
  const attempted = (outcome: keyof typeof attempts) => void (attempts[outcome] += 1);
  const { prisma } = storage.patient(CALLER, undefined, patienceMs);
  const handlers = deliveryHandlers({ prisma, outbound, secrets, enqueue, log, attempted, pauses, turnMs });
  const consumer = isWorking
    ? await startConsumer(storage, log, webhookQueue, handlers, { times, concurrency: SENDING })
    : undefined;
  const dispatcher = consumer && new Dispatcher(storage, log, enqueue, consumer);
  return {
    secrets,
    attempts,
    async checkUrl(url) {
      // What a name means is judged when an event is sent: here, as if it were where it may be.
      const anywhere: Resolve = () => Promise.resolve([allowLoopback ? '127.0.0.1' : '1.1.1.1']);
      await resolveTarget(parseTarget(url), { allowLoopback, ports: [80, 443], resolve: anywhere });
    },
    wake: () => dispatcher?.wake(),
    async stop() {
      await dispatcher?.stop();
      await consumer?.stop();
      await queue.stop();
    },
  };
}

/** Makes events of commits until it is stopped. */
class Dispatcher {
  private readonly holder = randomUUID();
  private readonly running: Promise<void>;
  private hasEnded = false;
  private readonly ending = new Abandon();
  private readonly pause = new Pause();
  private unlisten: (() => void) | undefined;
  private hasFailed = false;
  private hasPosition = false;

  constructor(
    private readonly storage: Storage,
    private readonly log: Logger,
    private readonly enqueue: DispatchDeps['enqueue'],
    private readonly consumer: Consumer,
  ) {
    this.running = this.run();
  }

  wake(): void {
    this.pause.wake();
  }

  async stop(): Promise<void> {
    this.hasEnded = true;
    this.ending.abort(new Error('this process is stopping'));
    this.wake();
    await this.running;
    this.unlisten?.();
    await letGo(this.storage.prisma, this.holder).catch(() => undefined);
  }

  private async run(): Promise<void> {
    while (!this.hasEnded) {
      this.pause.forget();
      const outcome = await this.step();
      if (outcome === 'made') this.consumer.wake();
      if (outcome === 'idle' || outcome === 'waiting')
        await this.pause.take(outcome === 'idle' ? IDLE_MS : LOOK_MS);
    }
  }

  private async step() {
    const { storage, log, enqueue, holder } = this;
    try {
      this.hasPosition ||= await ensurePosition(storage.prisma);
      const outcome = await dispatchStep({ reader: () => this.reader(), enqueue, log, holder });
      this.listenWhile(outcome !== 'idle');
      if (this.hasFailed) log.info('events of webhooks are made again');
      this.hasFailed = false;
      return outcome;
    } catch (error) {
      if (!this.hasFailed && !this.hasEnded)
        log.error({ err: error }, 'events of webhooks cannot be made: trying again');
      this.hasFailed = true;
      return 'idle';
    }
  }

  private reader(): Reader {
    return this.storage.patient(CALLER, this.ending);
  }

  /** Only while there are webhooks: it takes a connection. */
  private listenWhile(isWanted: boolean): void {
    if (isWanted) this.unlisten ??= this.storage.listen(FEED_CHANNEL, () => this.wake());
    else {
      this.unlisten?.();
      this.unlisten = undefined;
    }
  }
}
