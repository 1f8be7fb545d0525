import { setImmediate } from 'node:timers/promises';
import { AppError } from '../errors.js';
import type { FeedKind } from '../write/feed.js';
import { cursorText, type Cursor, type Position } from './cursor.js';
import type { FeedEntry } from './entry.js';
import { selectNodes, type LiveList } from './live-list.js';
import type { Live, OpenStream, Streams } from './streams.js';

/** An event of a stream. */
export interface LiveEvent<Node> {
  readonly entry: FeedEntry;
  readonly index: number;
  readonly cursor: string;
  readonly node: Node;
  readonly kind: FeedKind;
  /** The stream that it is of. */
  readonly stream: OpenStream;
}

/** Which events a stream has. */
export interface EventOptions<Query> {
  readonly query: Query;
  /** Null: from now on. */
  readonly after: Cursor | null;
  readonly includeBackfill: boolean;
  /** How long the stream may wait for its turn to begin, milliseconds: its client has heard nothing yet. */
  readonly beginMs: number;
}

/**
 * Begins a stream of a caller: what is committed from now on, or after a cursor. It is open until its
 * `return` is called or it has ended.
 *
 * @throws AppError as Streams.begin, Turns.take and Feed.join; later EVENTS_LOST when it is too far behind
 */
export async function openEvents<Query extends object, Node>(
  live: Live,
  list: LiveList<Query, Node>,
  caller: Parameters<Streams['begin']>[0],
  options: EventOptions<Query>,
): Promise<AsyncIterableIterator<LiveEvent<Node>>> {
  const stream = live.streams.begin(caller);
  const join = () => live.feed.join(options.after, stream.abandon);
  const position = await stream.turns.take(stream, join, options.beginMs).catch((error: unknown) => {
    stream.close();
    throw error;
  });
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    live.feed.leave();
    stream.close();
  };
  const events = eventsAfter(live, list, stream, { ...options, position });
  const open: AsyncIterableIterator<LiveEvent<Node>> = {
    [Symbol.asyncIterator]: () => open,
    async next() {
      try {
        const next = await events.next();
        if (next.done) close();
        return next;
      } catch (error) {
        // What waited for a client that has left failed for that.
        const { signal } = stream;
        const hasLeft = signal.aborted && !(signal.reason instanceof AppError);
        close();
        if (hasLeft) return { done: true, value: undefined };
        throw error;
      }
    },
    async return() {
      close();
      await events.return(undefined);
      return { done: true, value: undefined };
    },
  };
  return open;
}

async function* eventsAfter<Query extends object, Node>(
  live: Live,
  list: LiveList<Query, Node>,
  stream: OpenStream,
  { query, includeBackfill, position }: EventOptions<Query> & { position: Position },
): AsyncGenerator<LiveEvent<Node>, undefined> {
  const { signal } = stream;
  let at = position;
  for (;;) {
    const { entries, upTo } = await live.feed.next(at, list.kinds, stream);
    for (const entry of entries) {
      if (entry.isBackfill && !includeBackfill) continue;
      const first = entry.id === at.entry ? at.index + 1 : 0;
      const nodes = await selectNodes(list, query, entry, stream, () =>
        live.feed.reader(live.streams.ending),
      );
      for (const { index, node } of nodes) {
        if (index < first) continue;
        await stream.admit();
        insist(signal);
        if (signal.aborted) return;
        const cursor = cursorText({ entry: entry.id, index, at: entry.at });
        yield { entry, index, cursor, node, kind: entry.kind, stream };
      }
      // One stream must not keep the others, and requests, from running.
      await setImmediate();
    }
    insist(signal);
    if (signal.aborted) return;
    at = { entry: upTo, index: Infinity };
  }
}

/** @throws AppError why the stream was ended, if its client is to know */
function insist({ reason }: AbortSignal): void {
  if (reason instanceof AppError) throw reason;
}
