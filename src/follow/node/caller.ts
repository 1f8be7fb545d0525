import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Stopped, unlessAborted } from '../../stop.js';
import type { Answer, Terms } from './apis.js';
import type { Endpoint } from './endpoint.js';
import { Failed } from './failed.js';
import { Failures } from './failures.js';
import { endReasons } from './in-order.js';
import { Membership } from './membership.js';
import { infoPath, type Question } from './question.js';
import { Queue } from './queue.js';
import type { Pauses } from './rest.js';
import type { HeadChain } from './status.js';

/** Milliseconds for which slower endpoints are awaited once one has named its head. */
const HEAD_GRACE_MS = 250;

/** Room for one call. */
interface Place {
  readonly endpoint: Endpoint;
  readonly end: ReturnType<Endpoint['pace']['start']>;
}

export interface CallerOptions {
  readonly patienceMs: number;
  readonly pauses: Pauses;
}

/** Puts a question to the endpoint with most room, and to others until one answers. */
export class Caller {
  private readonly queue = new Queue();
  private readonly membership = new Membership();
  private readonly polls = new Map<string, Promise<bigint>>();
  private closed = false;

  constructor(
    readonly endpoints: readonly Endpoint[],
    private readonly options: CallerOptions,
  ) {}

  /** @throws NodeError; the signal's reason; what `prove` throws */
  async call<T>(question: Question<T>, { signal, patienceMs }: Terms = {}): Promise<Answer<T>> {
    // Node.js warns from the eleventh listener on, of which there may be as many as calls.
    if (signal) setMaxListeners(0, signal);
    const failures = this.failuresOf(question, patienceMs);
    try {
      for (;;) {
        const place = await this.choose(question, failures, signal);
        if (!place) {
          await this.pause(failures.nextRound(this.options.pauses), signal);
          continue;
        }
        const { endpoint } = place;
        try {
          return { value: await this.ask(place, question, signal), endpoint: endpoint.name };
        } catch (error) {
          if (!(error instanceof Failed)) throw error;
          this.wake();
          failures.add(endpoint, error);
          if (isUseless(question, error)) throw endpoint.explain(error, question.method);
        }
      }
    } finally {
      this.wake();
    }
  }

  /** The highest head that an endpoint names; all that do not rest are asked. @throws NodeError; the signal's reason */
  async highest(
    chain: HeadChain,
    question: Question<bigint>,
    { signal, patienceMs }: Terms = {},
  ): Promise<bigint> {
    const failures = this.failuresOf(question, patienceMs);
    for (;;) {
      const asked = this.usable(question, failures, signal);
      const polls = asked.map((endpoint) => this.poll(endpoint, chain, question));
      const outcomes = firstAndSoon(polls, (error, index) => failures.add(asked[index]!, asFailed(error)));
      if (await (signal ? unlessAborted(signal, outcomes) : outcomes)) {
        const heads = asked
          .filter((endpoint) => !failures.has(endpoint))
          .map(({ heads }) => heads[chain] ?? 0n);
        return heads.reduce((best, head) => (head > best ? head : best));
      }
      await this.pause(failures.nextRound(this.options.pauses), signal);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.endpoints.map((endpoint) => endpoint.close()));
  }

  private failuresOf(question: Question<unknown>, patienceMs = this.options.patienceMs): Failures {
    return new Failures(question, this.endpoints, patienceMs);
  }

  /** A place at the endpoint with most room; null when each failed or rests. Waits while they are full. */
  private async choose(
    question: Question<unknown>,
    failures: Failures,
    signal: AbortSignal | undefined,
  ): Promise<Place | null> {
    for (;;) {
      const [first, ...others] = this.highEnough(this.usable(question, failures, signal), question);
      if (!first) return null;
      const best = others.reduce((a, b) => (b.pace.room > a.pace.room ? b : a), first);
      if (best.pace.room > 0) return { endpoint: best, end: best.pace.start() };
      await this.queue.wait(signal);
    }
  }

  /** @throws Stopped, and the signal's reason */
  private usable(
    { path }: Question<unknown>,
    failures: Failures,
    signal: AbortSignal | undefined,
  ): Endpoint[] {
    if (this.closed) throw new Stopped('the client of nodes was closed');
    signal?.throwIfAborted();
    return this.endpoints.filter((endpoint) => !failures.has(endpoint) && endpoint.restsUntil(path) === 0);
  }

  private highEnough(usable: Endpoint[], { needs }: Question<unknown>): Endpoint[] {
    if (!needs || !this.endpoints.some((endpoint) => endpoint.has(needs))) return usable;
    return usable.filter((endpoint) => endpoint.has(needs));
  }

  private async ask<T>(
    { endpoint, end }: Place,
    question: Question<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    if (question.path !== infoPath && !endpoint.isMember) {
      try {
        const admitted = this.membership.admit(endpoint);
        await (signal ? unlessAborted(signal, admitted) : admitted);
      } catch (error) {
        end('other');
        throw error;
      }
    }
    return endpoint.ask(question, signal, end);
  }

  /** One poll of a chain's head at a time. It takes no room: a head that comes late keeps rows from being fresh. */
  private poll(endpoint: Endpoint, chain: HeadChain, question: Question<bigint>): Promise<bigint> {
    const key = `${endpoint.name} ${chain}`;
    const running = this.polls.get(key);
    if (running) return running;
    const poll = this.ask({ endpoint, end: endpoint.pace.start() }, question, undefined)
      .then((head) => (endpoint.heads[chain] = head))
      .finally(() => {
        this.polls.delete(key);
        this.wake();
      });
    this.polls.set(key, poll);
    return poll;
  }

  private wake(): void {
    this.queue.wake(this.endpoints.reduce((room, { pace }) => room + Math.max(0, pace.room), 0));
  }

  private async pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    // Others may have an endpoint that does not rest.
    this.wake();
    try {
      await setTimeout(milliseconds, undefined, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }
}

/** Whether no endpoint is to be asked this again as it is: a batch is asked again in halves. */
function isUseless({ calls }: Question<unknown>, { row }: Failed): boolean {
  if (calls.length > 1 && (row.halves || endReasons.has(row.name))) return true;
  return row.class === 'fault';
}

/** What an endpoint's failure is; anything else is thrown on. */
function asFailed(error: unknown): Failed {
  if (error instanceof Failed) return error;
  throw error;
}

/**
 * Whether one of the polls is good: as soon as all ended, or a little after the first good one.
 *
 * @throws what `failed` throws
 */
async function firstAndSoon(
  polls: readonly Promise<unknown>[],
  failed: (error: unknown, index: number) => void,
): Promise<boolean> {
  let good = 0;
  const all = Promise.all(
    polls.map((poll, index) =>
      poll.then(
        () => (good += 1),
        (error: unknown) => failed(error, index),
      ),
    ),
  );
  const first = Promise.any(polls).then(
    () => setTimeout(HEAD_GRACE_MS, undefined, { ref: false }),
    () => all,
  );
  await Promise.race([all, first]);
  return good > 0;
}
