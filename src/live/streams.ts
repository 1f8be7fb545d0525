import { setTimeout as sleep } from 'node:timers/promises';
import type { Access } from '../access/access-control.js';
import type { Limiter } from '../access/limiter.js';
import type { Plan } from '../access/plans.js';
import { reachedLimit } from '../access/charge.js';
import { shareOf } from '../concurrency-limit.js';
import { AppError } from '../errors.js';
import { Abandon } from '../storage/abandon.js';
import type { Feed } from './feed.js';
import { RETRY_SECONDS, Turns, type Waiter } from './turns.js';

/** What streams come from. One for each process. */
export interface Live {
  readonly feed: Feed;
  readonly streams: Streams;
}

/** A stream that is open. */
export interface OpenStream extends Waiter {
  /** Aborted when it must end; with an AppError that its client gets, if there is a reason. */
  readonly signal: AbortSignal;
  /** The same for what is read for it alone. */
  readonly abandon: Abandon;
  readonly turns: Turns;
  /** Resolves when its plan allows another event. */
  admit(): Promise<void>;
  /** Ends it; may be called again. */
  close(): void;
}

type Caller = Pick<Access['charge'], 'identity' | 'plan'>;

/** The open streams of a process, bounded in all and for each caller. */
export class Streams {
  private readonly open = new Set<AbortController>();
  private readonly byCaller = new Map<string, number>();
  private readonly pauses = new Map<string, Promise<void>>();
  /** Aborted when all streams end: for what is read for several of them. */
  readonly ending = new Abandon();
  /** Events that were sent so far. */
  sent = 0;
  private readonly turns: Turns;

  /** @param connections that they have together for what they read */
  constructor(
    private readonly most: number,
    connections: number,
    private readonly limiter: Pick<Limiter, 'limits' | 'consume'>,
  ) {
    this.turns = new Turns(connections, most);
  }

  get size(): number {
    return this.open.size;
  }

  /**
   * @throws AppError RATE_LIMITED when the caller has as many as its plan allows; SERVICE_UNAVAILABLE when
   *   the gateway has as many as it can, or closes
   */
  begin({ identity, plan }: Caller): OpenStream {
    this.insistOnRoom(identity, plan);
    const controller = new AbortController();
    const { signal } = controller;
    const abandon = new Abandon();
    signal.addEventListener('abort', () => abandon.abort(signal.reason as Error));
    this.open.add(controller);
    this.count(identity, 1);
    return {
      caller: identity,
      signal,
      abandon,
      turns: this.turns,
      admit: () => this.admit(identity, plan, signal),
      close: () => {
        if (!this.open.delete(controller)) return;
        this.count(identity, -1);
        controller.abort();
      },
    };
  }

  /** Ends all streams, and refuses new ones. */
  end(error: AppError): void {
    this.ending.abort(error);
    for (const each of this.open) each.abort(error);
  }

  private insistOnRoom(identity: string, plan: Plan): void {
    this.ending.insist();
    const own = this.byCaller.get(identity) ?? 0;
    const { streams, name } = plan;
    if (this.limiter.limits && own >= streams)
      throw reachedLimit(
        `You have ${own} streams open; the plan ${name} allows ${streams} at the same time`,
        RETRY_SECONDS,
      );
    const share = shareOf(this.most);
    if (this.size < this.most && own < share) return;
    const reason =
      own < share
        ? `The service has ${this.most} streams open, the most at the same time`
        : `You have ${own} streams open, the most for one caller`;
    throw new AppError('SERVICE_UNAVAILABLE', `${reason}; try again soon`, {
      retryAfterSeconds: RETRY_SECONDS,
    });
  }

  private count(identity: string, change: 1 | -1): void {
    const own = (this.byCaller.get(identity) ?? 0) + change;
    if (own > 0) this.byCaller.set(identity, own);
    else this.byCaller.delete(identity);
  }

  /** An event counts for its caller; when those of its plan are used up, all of its streams wait. */
  private async admit(identity: string, plan: Plan, signal: AbortSignal): Promise<void> {
    this.sent += 1;
    if (!this.limiter.limits) return;
    const windows: Plan = { ...plan, requests: plan.events, perDay: null };
    while (!signal.aborted) {
      await this.pauses.get(identity);
      const decision = await this.limiter.consume(`${identity} events`, windows, 1);
      if (decision.admitted) return;
      if (!this.pauses.has(identity)) this.pause(identity, decision.resetSeconds);
    }
  }

  private pause(identity: string, seconds: number): void {
    const pause = sleep(seconds * 1000, undefined, { ref: false }).then(() => {
      this.pauses.delete(identity);
    });
    this.pauses.set(identity, pause);
  }
}
