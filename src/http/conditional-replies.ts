import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { BoundedMap } from '../access/bounded-map.js';
import type { Reader } from '../storage/reader.js';
import { readVersions } from '../storage/write-versions.js';
import { isKnown } from './entity-tag.js';

/** Most replies of which it is remembered by what they are made; about 300 bytes each, 6 MiB. */
const MOST_REPLIES = 20_000;
/** Page tokens in a reply are those of the hour, and one in an address expires with an hour. */
const HOUR_MS = 3_600_000;

/** What a reply was made of. */
export interface Made {
  readonly tag: string;
  /** The versions of its data before it was read, and the hour. */
  readonly versions: string;
  /** See Route. */
  readonly settledAt: number | undefined;
}

/** Replies that clients ask for again, and the versions of the data that they were made of. */
export class ConditionalReplies {
  private readonly made = new BoundedMap<Made>(MOST_REPLIES);

  /** @param now milliseconds since 1970 */
  constructor(private readonly now: () => number) {}

  /** Undefined for a request without a condition, which no one needs to remember. */
  of(request: FastifyRequest): ConditionalReply | undefined {
    if (!request.headers['if-none-match']) return undefined;
    const { url, headers } = request;
    const key = hash('sha1', `${headers.accept ?? ''}\n${url}`, 'base64url');
    return new ConditionalReply(request, key, this.made, this.now);
  }
}

/** For how long a settled answer is used without a question, and while it is asked for again, seconds. */
const [FRESH, STALE] = [3600, 86_400];
/** How old it must be, seconds: what a follower or an import corrects is nearly always newer. */
const SETTLED = 86_400;

/**
 * The cache-control of a reply. Never `immutable`: rows can be corrected by an import. What a key has read is
 * for its own caches: it says what is left of its plan, and may be its webhooks.
 *
 * @param now Unix seconds
 */
export function cacheControl(settledAt: number | undefined, now: number, isOfKey: boolean): string {
  if (settledAt === undefined || now - settledAt < SETTLED) return isOfKey ? 'private, no-cache' : 'no-cache';
  return `${isOfKey ? 'private' : 'public'}, max-age=${FRESH}, stale-while-revalidate=${STALE}`;
}

/** The reply to one request that has a condition. */
class ConditionalReply {
  private versions: string | undefined;

  constructor(
    private readonly request: FastifyRequest,
    private readonly key: string,
    private readonly made: BoundedMap<Made>,
    private readonly now: () => number,
  ) {}

  /**
   * What the client has, if nothing was written in these scopes since it was read; undefined if the data have
   * to be read.
   *
   * @param reader the one that will read the data, from the same server
   */
  async unchanged(reader: Reader, scopes: readonly string[]): Promise<Made | undefined> {
    const hour = Math.floor(this.now() / HOUR_MS);
    this.versions = `${hash('sha1', await readVersions(reader, scopes), 'base64url')} ${hour}`;
    const made = this.made.get(this.key);
    return made?.versions === this.versions && isKnown(this.request, made.tag) ? made : undefined;
  }

  /** Remembers a reply that was made after `unchanged` read the versions. */
  remember({ tag, settledAt }: Omit<Made, 'versions'>): void {
    const { versions } = this;
    if (versions !== undefined) this.made.set(this.key, { tag, versions, settledAt });
  }
}
