import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Stopped, unlessAborted } from '../../stop.js';
import type { Pauses } from '../pauses.js';
import type { Answer, CallOptions, EachOptions } from './apis.js';
import type { Endpoint } from './endpoint.js';
import type { EndpointCheck } from './endpoint-check.js';
import { BatchRefused } from './error.js';
import { Failed } from './failed.js';
import { Failures } from './failures.js';
import { asBatch, isForHalves, isWhole } from './halves.js';
import { type NodeRequest, infoPath, type Question } from './question.js';
import { Queue } from './queue.js';

/** One call that an endpoint has room for. */
export interface CallSlot {
  readonly endpoint: Endpoint;
  readonly end: ReturnType<Endpoint['pace']['start']>;
}

export interface CallerOptions {
  readonly patienceMs: number;
  readonly pauses: Pauses;
  readonly membership: EndpointCheck;
}

/** Sends a request to the endpoint with most room, and then to others until one answers. */
export class Caller {
  private readonly queue = new Queue();
  private readonly closing = new AbortController();

  constructor(
    readonly endpoints: readonly Endpoint[],
    private readonly options: CallerOptions,
  ) {
    for (const { pace } of endpoints) pace.freed = () => this.wake();
  }

  /**
   * @throws NodeError, of a batch that may be answered in parts BatchRefused; the signal's reason; what
   *   `read` throws
   */
  async call<T>(
    question: Question<T>,
    { signal, patienceMs, endpoint: only }: CallOptions = {},
  ): Promise<Answer<T>> {
    // Node.js warns from the eleventh listener on; there is one for each call.
    if (signal) setMaxListeners(0, signal);
    const failures = this.failuresOf(question, patienceMs, only);
    const ticket = this.queue.takeTicket();
    for (;;) {
      const slot = await this.choose(question, failures, ticket, signal);
      if (!slot) {
        await this.nextRound(failures, signal).catch((error: unknown) => {
          throw asBatch(question, error, failures);
        });
        continue;
      }
      const { endpoint } = slot;
      try {
        return { value: await this.ask(slot, question, signal), endpoint: endpoint.name };
      } catch (error) {
        if (!(error instanceof Failed)) throw error;
        failures.add(endpoint, error);
        if (isForHalves(question, error, failures))
          throw new BatchRefused(
            endpoint.explain(error, question.method),
            isWhole(error),
            failures.patienceLeftMs,
          );
        if (error.row.same) throw endpoint.explain(error, question.method);
      }
    }
  }

  /**
   * What each endpoint that does not rest answers; those that fail are left out.
   *
   * @throws the signal's reason
   */
  async askEach<T>(question: Question<T>, { signal, except }: EachOptions = {}): Promise<Answer<T>[]> {
    const failures = this.failuresOf(question, 0);
    const usable = this.usable(question, failures, signal).filter(({ name }) => name !== except);
    const asked = this.highEnough(usable, question);
    const answers = await Promise.all(
      asked.map(async (endpoint): Promise<Answer<T>[]> => {
        try {
          const value = await this.ask({ endpoint, end: endpoint.pace.start() }, question, signal);
          return [{ value, endpoint: endpoint.name }];
        } catch (error) {
          if (error instanceof Failed) return [];
          throw error;
        }
      }),
    );
    return answers.flat();
  }

  /** Calls that wait end with Stopped. */
  async close(): Promise<void> {
    this.closing.abort(new Stopped('the client of nodes was closed'));
    this.queue.wake(Infinity);
    await Promise.all(this.endpoints.map((endpoint) => endpoint.close()));
  }

  /** An empty list of failures, for one call. @param only the name of the one that is asked; absent: any */
  failuresOf(question: NodeRequest, patienceMs = this.options.patienceMs, only?: string): Failures {
    const asked = only === undefined ? this.endpoints : this.endpoints.filter(({ name }) => name === only);
    return new Failures(question, asked, patienceMs);
  }

  /**
   * The endpoints that may be asked: they have not failed this call, and do not rest.
   *
   * @throws Stopped, and the signal's reason
   */
  usable({ path }: NodeRequest, failures: Failures, signal: AbortSignal | undefined): Endpoint[] {
    this.closing.signal.throwIfAborted();
    signal?.throwIfAborted();
    return failures.endpoints.filter((each) => !failures.has(each) && each.restsUntil(path) === 0);
  }

  /**
   * Sends a request to an endpoint with room for it. @throws Failed; the signal's reason; what `read` throws
   */
  async ask<T>(
    { endpoint, end }: CallSlot,
    question: Question<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    if (question.path !== infoPath && !endpoint.isMember) {
      try {
        const admitted = this.options.membership.check(endpoint);
        await (signal ? unlessAborted(signal, admitted) : admitted);
      } catch (error) {
        end('other');
        throw error;
      }
    }
    return endpoint.ask(question, signal, end);
  }

  /** Waits before the next try. @throws NodeError when useless or out of patience; the signal's reason */
  async nextRound(failures: Failures, signal: AbortSignal | undefined): Promise<void> {
    // Other calls may use an endpoint that this one may not. It may have been woken instead of one of them,
    // so it passes that on, also before it ends.
    this.wake();
    const milliseconds = failures.nextRound(this.options.pauses);
    const { signal: closing } = this.closing;
    const ended = signal ? AbortSignal.any([closing, signal]) : closing;
    try {
      await setTimeout(milliseconds, undefined, { signal: ended });
    } catch (error) {
      ended.throwIfAborted();
      throw error;
    }
  }

  /** Wakes calls that wait for room; one that was woken and takes none wakes the next. */
  private wake(): void {
    this.queue.wake(this.endpoints.reduce((room, { pace }) => room + Math.max(0, pace.room), 0));
  }

  /** A slot of the endpoint with most room; null if all failed or are in a cooldown. Waits for room. */
  private async choose(
    question: NodeRequest,
    failures: Failures,
    ticket: number,
    signal: AbortSignal | undefined,
  ): Promise<CallSlot | null> {
    try {
      for (;;) {
        const [first, ...others] = this.highEnough(this.usable(question, failures, signal), question);
        if (!first) return null;
        failures.noteUsable();
        const best = others.reduce((a, b) => (b.pace.room > a.pace.room ? b : a), first);
        if (best.pace.room > 0) return { endpoint: best, end: best.pace.start() };
        await this.queue.wait(ticket, signal);
      }
    } catch (error) {
      this.wake();
      throw error;
    }
  }

  private highEnough(usable: Endpoint[], { needs }: NodeRequest): Endpoint[] {
    if (!needs || !this.endpoints.some((endpoint) => endpoint.has(needs))) return usable;
    return usable.filter((endpoint) => endpoint.has(needs));
  }
}
