import { setTimeout } from 'node:timers/promises';
import { unlessAborted } from '../../stop.js';
import type { HeadOptions } from './apis.js';
import type { BelievedHead, BelievedHeads } from './believed-heads.js';
import type { Caller } from './caller.js';
import type { Endpoint } from './endpoint.js';
import { Failed } from './failed.js';
import type { Question } from './question.js';
import type { HeadChain } from './status.js';

/** Milliseconds for which slower endpoints are awaited once one has named its head; the first time longer. */
const GRACE_MS = 250;
const FIRST_GRACE_MS = 2000;
/** Milliseconds between two looks, while endpoints do not agree. */
const AGAIN_MS = 500;

/** Asks all endpoints for their heads, and remembers them for the choice of an endpoint. */
export class Heads {
  private readonly polls = new Map<string, Promise<bigint>>();

  constructor(
    private readonly caller: Caller,
    private readonly believed: BelievedHeads,
  ) {}

  /**
   * The head that is believed of those that the endpoints without a cooldown name.
   *
   * @throws NodeError; the signal's reason
   */
  async newest(
    chain: HeadChain,
    question: Question<bigint>,
    { settled = false, ...options }: HeadOptions = {},
  ): Promise<bigint> {
    for (;;) {
      const { height, isSettled } = await this.look(chain, question, options);
      if (isSettled || !settled) return height;
      await pause(AGAIN_MS, options.signal);
    }
  }

  private async look(
    chain: HeadChain,
    question: Question<bigint>,
    { signal, patienceMs }: HeadOptions,
  ): Promise<BelievedHead> {
    const failures = this.caller.failuresOf(question, patienceMs);
    for (;;) {
      const asked = this.caller.usable(question, failures, signal);
      const polls = asked.map((endpoint) => this.poll(endpoint, chain, question));
      const isFirst = asked.some(({ heads }) => heads[chain] === undefined);
      const outcomes = firstAndSoon(polls, isFirst ? FIRST_GRACE_MS : GRACE_MS, (error, index) =>
        failures.add(asked[index]!, asFailed(error)),
      );
      if (await (signal ? unlessAborted(signal, outcomes) : outcomes)) {
        const named = asked.filter((endpoint) => !failures.has(endpoint));
        return this.believed.of(
          chain,
          named.flatMap(({ heads }) => heads[chain] ?? []),
        );
      }
      await this.caller.nextRound(failures, signal);
    }
  }

  /** One poll of a chain's head at a time. It waits for no room: a late head keeps rows from being fresh. */
  private poll(endpoint: Endpoint, chain: HeadChain, question: Question<bigint>): Promise<bigint> {
    const key = `${endpoint.name} ${chain}`;
    const running = this.polls.get(key);
    if (running) return running;
    const poll = this.caller
      .ask({ endpoint, end: endpoint.pace.start() }, question, undefined)
      .then((head) => (endpoint.heads[chain] = head))
      .finally(() => this.polls.delete(key));
    this.polls.set(key, poll);
    return poll;
  }
}

/** What an endpoint's failure is; anything else is thrown on. */
function asFailed(error: unknown): Failed {
  if (error instanceof Failed) return error;
  throw error;
}

/** @throws the signal's reason */
const pause = (milliseconds: number, signal: AbortSignal | undefined) =>
  setTimeout(milliseconds, undefined, { signal }).catch(() => signal?.throwIfAborted());

/**
 * Whether one of the polls is good: as soon as all ended, or a little after the first good one.
 *
 * @throws what `failed` throws
 */
async function firstAndSoon(
  polls: readonly Promise<unknown>[],
  graceMs: number,
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
  const soon = Promise.any(polls).then(
    () => setTimeout(graceMs, undefined, { ref: false }),
    () => all,
  );
  await Promise.race([all, soon]);
  return good > 0;
}
