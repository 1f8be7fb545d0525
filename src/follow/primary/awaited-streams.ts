import type { EvmStream, StreamName } from '../../config/follow-settings.js';
import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { pipelineTable } from '../../state/following.js';
import type { Reader } from '../../storage/reader.js';
import type { Statement } from '../../storage/statement.js';
import { pause } from '../pauses.js';
import type { DigestContext } from '../pipeline.js';

/** A stream that stores outputs. */
export type OutputStream = Exclude<StreamName, EvmStream | 'x-vertices'>;

/** The chain whose outputs it stores. */
export const chainOfStream: Readonly<Record<OutputStream, PrimaryChain>> = {
  p: 'p',
  x: 'x',
  'x-dag': 'x',
  'c-atomic': 'c',
};
const streams = Object.keys(chainOfStream) as OutputStream[];

/** Those that may still store more. One that was begun in its middle never stores what was made before. */
const unfinished: Statement = {
  name: 'follow.unfinished_streams',
  text: `SELECT name, next_height::text AS next FROM ${pipelineTable.name}
    WHERE network = $1::network AND first_height = 0 AND next_height <= head AND state IN ('following', 'waiting')`,
};

/** Bounds of waiting, in milliseconds. */
export interface WaitBounds {
  /** Between two looks. */
  readonly lookMs: number;
  /** A stream that stored nothing for so long is not waited for: it may have stopped. */
  readonly stillMs: number;
  /** For the outputs of one batch; in all a stream waits no longer than it works, and this much more. */
  readonly mostMs: number;
}

/** A stream that waits; times are of `performance.now`. */
interface Wait {
  /** For whom, as it found when it last looked. */
  readonly awaited: ReadonlySet<OutputStream>;
  /** When it began to wait: what its batch makes has been there since then. */
  readonly since: number;
  /** When it last looked. */
  readonly lookedAt: number;
}

const usualBounds: WaitBounds = { lookMs: 100, stillMs: 10_000, mostMs: 60_000 };

/**
 * Waits for streams that will store what another one looks for, because each output that a node is asked for
 * costs a request. No stream holds another one for ever: one that is left out, has stopped, or is at its head
 * is not waited for, and of those that wait for each other the last one asks its nodes.
 */
export class AwaitedStreams {
  private readonly waiting = new Map<string, Wait>();
  /** The height up to which each was stored when it was looked at, and since when it is that one. */
  private readonly heights = new Map<string, { readonly next: string; readonly since: number }>();
  /** Since when each one works, and how long of that it has waited. */
  private readonly spent = new Map<OutputStream, { readonly since: number; waitedMs: number }>();

  constructor(
    private readonly network: Network,
    private readonly bounds = usualBounds,
  ) {}

  /**
   * Looks, and looks again as long as others may store what is missing.
   *
   * @param look gives the chains whose outputs are missing
   * @throws what `look` and the database throw; the signal's reason
   */
  async wait(
    stream: OutputStream,
    { reader, signal }: Pick<DigestContext, 'reader' | 'signal'>,
    look: () => Promise<ReadonlySet<PrimaryChain>>,
  ): Promise<void> {
    const begun = performance.now();
    const spent = this.spent.get(stream) ?? { since: begun, waitedMs: 0 };
    this.spent.set(stream, spent);
    const { lookMs, mostMs } = this.bounds;
    const end = begun + Math.min(mostMs, begun - spent.since + mostMs - 2 * spent.waitedMs);
    try {
      for (;;) {
        const lookedAt = performance.now();
        const awaited = makersOf(await look(), stream);
        if (awaited.size === 0 || performance.now() >= end) return;
        if (!(await this.mayWait(stream, { awaited, since: begun, lookedAt }, reader))) return;
        await pause(lookMs, signal);
        signal.throwIfAborted();
        spent.waitedMs += lookMs;
      }
    } finally {
      this.waiting.delete(stream);
    }
  }

  /** Notes that a stream waits, if somebody for whom it waits may still store what is missing. */
  private async mayWait(stream: OutputStream, wait: Wait, reader: Pick<Reader, 'read'>): Promise<boolean> {
    const rows = await reader.read<{ name: string; next: string }>(unfinished, [this.network]);
    const now = performance.now();
    const moving = rows.filter(({ name, next }) => {
      const known = this.heights.get(name);
      const isStill = known?.next === next && !this.waiting.has(name);
      const since = isStill ? known.since : now;
      this.heights.set(name, { next, since });
      return now - since < this.bounds.stillMs;
    });
    const names = new Set(moving.map(({ name }) => name));
    // Without a pause in between: nobody sees it wait if it leaves.
    this.waiting.set(stream, wait);
    const isComing = this.isComing(stream, names);
    if (!isComing) this.waiting.delete(stream);
    return isComing;
  }

  /**
   * Whether what a stream waits for may still be stored: somebody stores more, or will find what it waits
   * for itself, or will ask its nodes. Of those that wait for each other the one that began last asks. Who
   * has not looked since another one began to wait may find it in that one's batch.
   *
   * @param moving those that store more now
   */
  private isComing(stream: OutputStream, moving: ReadonlySet<string>): boolean {
    const { since } = this.waiting.get(stream)!;
    return [...this.awaitedBy(stream)].some((each) => {
      const wait = this.waiting.get(each);
      if (!wait) return moving.has(each);
      const mayFind = [...wait.awaited].some(
        (other) => (this.waiting.get(other)?.since ?? 0) > wait.lookedAt,
      );
      return mayFind || wait.since > since || !this.awaitedBy(each).has(stream);
    });
  }

  /** For whom a stream waits, and those for whom these wait; itself where they wait for it. */
  private awaitedBy(stream: OutputStream): ReadonlySet<OutputStream> {
    const all = new Set(this.waiting.get(stream)?.awaited);
    for (const each of all) for (const other of this.waiting.get(each)?.awaited ?? []) all.add(other);
    return all;
  }
}

/** The other streams that store outputs of these chains. The DAG ended before the X-chain had blocks. */
const makersOf = (chains: ReadonlySet<PrimaryChain>, stream: OutputStream): ReadonlySet<OutputStream> =>
  new Set(
    streams.filter(
      (each) => each !== stream && chains.has(chainOfStream[each]) && !(stream === 'x-dag' && each === 'x'),
    ),
  );
