import type { Network, PrimaryChain } from '../avalanche/networks.js';
import type { Reader } from '../storage/reader.js';
import { bind, statement } from '../storage/statement.js';
import type { FeedKind } from '../write/feed.js';

/** An entry of the feed, with what is made of it for all who read it. */
export interface FeedEntry {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly kind: FeedKind;
  readonly network: Network | null;
  readonly chain: PrimaryChain | null;
  /** Decimal digits. */
  readonly evmChainId: string | null;
  readonly isBackfill: boolean;
  readonly keys: readonly string[];
  /** Its nodes as they were read, by the list that read them; they live as long as the entry. */
  readonly nodes: Map<unknown, Promise<unknown>>;
  readonly texts: SharedTexts;
}

/** Most texts that are shared at a time, and how long, milliseconds: all streams want them at once. */
const MOST_TEXTS = 256;
const TEXTS_MS = 5000;
/** Their characters in all: with the entries that a process keeps at most 32 MiB. */
const MOST_CHARACTERS = 512 * 1024;

/** Texts that are made once for all who want the same within some seconds. */
export class SharedTexts {
  private readonly texts = new Map<string, Promise<string>>();
  /** By key, how many wait for their turn to have a text, and what drops one that is too large. */
  private readonly waiting = new Map<string, { streams: number; drop?: () => void }>();
  private characters = 0;

  /** The text that somebody wants now, or wanted some seconds ago. */
  known(key: string): Promise<string> | undefined {
    return this.texts.get(key);
  }

  /** @param key different for different texts */
  get(key: string, make: () => Promise<string>): Promise<string> {
    const known = this.texts.get(key);
    if (known) return known;
    const made = make();
    if (this.texts.size >= MOST_TEXTS) return made;
    if (this.texts.size === 0) setTimeout(() => this.forget(), TEXTS_MS).unref();
    this.texts.set(key, made);
    const drop = () => void (this.texts.get(key) === made && this.texts.delete(key));
    made.then(({ length }) => {
      if (this.texts.get(key) !== made) return;
      if (this.characters + length <= MOST_CHARACTERS) this.characters += length;
      else this.dropWhenHad(key, drop);
    }, drop);
    return made;
  }

  /** Waits for a turn to have a text: if it is too large to keep, it is kept for who waits for it now. */
  async whileWaiting(key: string, wait: () => Promise<string>): Promise<string> {
    const waiting = this.waiting.get(key) ?? { streams: 0 };
    this.waiting.set(key, waiting);
    waiting.streams += 1;
    try {
      return await wait();
    } finally {
      waiting.streams -= 1;
      if (waiting.streams === 0) {
        this.waiting.delete(key);
        waiting.drop?.();
      }
    }
  }

  /** Whoever waits for a text that is too large has it; the next one makes it again. */
  private dropWhenHad(key: string, drop: () => void): void {
    const waiting = this.waiting.get(key);
    if (waiting) waiting.drop = drop;
    else drop();
  }

  private forget(): void {
    this.texts.clear();
    this.characters = 0;
  }
}

/** Most entries that are remembered before those are forgotten that no stream has any more. */
const MOST_KNOWN = 1024;

/**
 * Older entries, for as long as some stream has them: those that are behind at the same place read the nodes
 * of an entry once.
 */
export class KnownEntries {
  private readonly known = new Map<number, WeakRef<FeedEntry>>();

  /** The same entries; for each that is known already, the object that others have. */
  sameOf(entries: readonly FeedEntry[]): readonly FeedEntry[] {
    if (this.known.size > MOST_KNOWN)
      for (const [id, entry] of this.known) if (!entry.deref()) this.known.delete(id);
    return entries.map((entry) => {
      const same = this.known.get(entry.id)?.deref();
      if (same?.at === entry.at) return same;
      this.known.set(entry.id, new WeakRef(entry));
      return entry;
    });
  }
}

interface EntryRow extends Omit<FeedEntry, 'id' | 'at' | 'keys' | 'nodes' | 'texts'> {
  readonly id: string;
  readonly at: string;
  readonly keys: string;
}

/**
 * The entry with a number, if it is there, and those after it that are of some kinds: if the first one is
 * another, entries may be missing.
 */
const entriesFrom = statement(
  'feed_from',
  `SELECT f.id::text AS id, (extract(epoch FROM f.written_at) * 1000)::bigint::text AS at, f.kind::text AS kind,
     f.network::text AS network, f.chain::text AS chain, f.evm_chain_id::text AS "evmChainId",
     f.is_backfill AS "isBackfill", f.keys
   FROM feed f
   WHERE f.id >= :after::bigint AND (f.id = :after::bigint OR f.kind = ANY(:kinds::feed_kind[]))
   ORDER BY f.id LIMIT :limit::bigint`,
);

const newest = statement(
  'feed_newest',
  'SELECT coalesce((SELECT f.id FROM feed f ORDER BY f.id DESC LIMIT 1), 0)::text AS id',
);

/** Entries as `entriesFrom` has them. */
export async function readEntries(
  storage: Pick<Reader, 'read'>,
  after: number,
  kinds: readonly FeedKind[],
  limit: number,
): Promise<FeedEntry[]> {
  const rows = await storage.read<EntryRow>(entriesFrom, bind(entriesFrom, { after, kinds, limit }));
  return rows.map(entryOf);
}

/** The number of the newest entry, 0 for none. */
export async function readNewest(storage: Pick<Reader, 'read'>): Promise<number> {
  const [row] = await storage.read<{ id: string }>(newest, []);
  return Number(row?.id ?? 0);
}

const entryOf = ({ id, at, keys, ...row }: EntryRow): FeedEntry => ({
  ...row,
  id: Number(id),
  at: Number(at),
  keys: keys.split(' '),
  nodes: new Map(),
  texts: new SharedTexts(),
});
