import type { Logger } from 'pino';
import type { Abandon } from '../storage/abandon.js';
import type { Reader } from '../storage/reader.js';
import type { Storage } from '../storage/storage.js';
import { FEED_CHANNEL, feedKinds, type FeedKind } from '../write/feed.js';
import { lostEvents, type Cursor, type Position } from './cursor.js';
import { KnownEntries, readEntries, readNewest, type FeedEntry } from './entry.js';
import { READ, Reading } from './reading.js';
import type { OpenStream } from './streams.js';

/** Whose share of the pool streams use, all together: they never take that of requests. */
const CALLER = 'streams';

/**
 * The feed as one process reads it: each new entry once, for all streams. It is read only while there are
 * streams. A stream pulls: one that is slow is behind, and reads older entries from the database itself, so
 * that nothing grows with the number of streams or of entries.
 */
export class Feed {
  private reading: Reading | undefined;
  private streams = 0;
  private readonly older = new KnownEntries();

  constructor(
    private readonly storage: Pick<Storage, 'read' | 'listen' | 'patient'>,
    private readonly log: Logger,
  ) {}

  /** Entries that this process has read so far, for metrics and tests. */
  entriesRead = 0;

  /** A reader for what streams send. */
  reader(abandon?: Abandon): Reader {
    return this.storage.patient(CALLER, abandon);
  }

  /**
   * Begins a stream, when it is its turn; end it with `leave`.
   *
   * @param after null: only what is committed from now on
   * @param abandon of the stream
   * @throws AppError EVENTS_LOST when events may be missing after it; what the database throws
   */
  async join(after: Cursor | null, abandon?: Abandon): Promise<Position> {
    this.streams += 1;
    try {
      const reading = (this.reading ??= this.begin());
      await reading.begun;
      // What was committed before is not to come, though this process may not have read it yet.
      if (!after) return { entry: await readNewest(this.reader(abandon)), index: Infinity };
      const [entry] = await readEntries(this.reader(abandon), after.entry, [], 1);
      if (entry?.id !== after.entry || entry.at !== after.at) throw lostEvents('after');
      return after;
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  /** Ends a stream. After the last one nothing is read or kept. */
  leave(): void {
    this.streams -= 1;
    if (this.streams > 0) return;
    this.reading?.end();
    this.reading = undefined;
  }

  /**
   * The entries of some kinds at and after a position, in their order: as many as can be had at once, and the
   * number up to which they are all. Waits until there are any.
   *
   * @param stream that they are for: when it has ended before they are read, there are none
   * @throws AppError EVENTS_LOST when some are no longer kept; as Turns.take; why the stream ended while they
   *   were read; what the database throws
   */
  async next(
    { entry, index }: Position,
    kinds: readonly FeedKind[],
    stream: OpenStream,
  ): Promise<{ entries: readonly FeedEntry[]; upTo: number }> {
    const { reading } = this;
    const { signal } = stream;
    const nothing = { entries: [], upTo: entry };
    if (!reading) return nothing;
    const isOfKind = (each: FeedEntry) => kinds.includes(each.kind);
    // The rest of an entry in which a stream resumes is read with those after it.
    const isWithin = index !== Infinity;
    while (!isWithin && entry >= reading.newest && !signal.aborted) await reading.more(signal);
    if (signal.aborted) return nothing;
    if (isWithin || entry < reading.oldest) {
      const reader = this.reader(stream.abandon);
      return stream.turns.take(stream, () => this.readOlder(reader, entry, kinds, isOfKind, reading));
    }
    return { entries: reading.after(entry).filter(isOfKind), upTo: reading.newest };
  }

  private async readOlder(
    reader: Reader,
    entry: number,
    kinds: readonly FeedKind[],
    isOfKind: (entry: FeedEntry) => boolean,
    { newest }: Reading,
  ) {
    const read = await readEntries(reader, entry, kinds, READ);
    const found = this.older.sameOf(read);
    if (entry > 0 && found[0]?.id !== entry) throw lostEvents('This stream is too far behind');
    // They may be newer than what this process keeps: all before the last one were there too.
    const upTo = Math.max(entry, found.at(-1)?.id ?? 0, found.length < READ ? newest : 0);
    return { entries: found.filter(isOfKind), upTo };
  }

  private begin(): Reading {
    const deps = {
      newest: () => readNewest(this.storage),
      read: async (after: number) => {
        const found = await readEntries(this.storage, after, feedKinds, READ + 1);
        const fresh = found.filter(({ id }) => id > after);
        this.entriesRead += fresh.length;
        return fresh;
      },
      listen: (notified: () => void) => this.storage.listen(FEED_CHANNEL, notified),
      failed: (error: unknown) => this.log.warn({ err: error }, 'the feed of commits cannot be read'),
    };
    return new Reading(deps);
  }
}
