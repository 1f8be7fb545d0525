import { shareOf } from '../concurrency-limit.js';
import { hasKey, type Accounts } from './accounts.js';
import { exceedsShare, longestWithoutProgress, type ClientConnection } from './connection.js';

/**
 * The part of all connections that is left to those without a key. A new connection counts as one, also that
 * of a caller with a key, until it has carried a request; it must not be closed before.
 */
const NEWCOMERS = 1 / 16;

type Open = ReadonlyMap<unknown, ClientConnection>;

/** Which connection is closed when there are too many. */
export class Excess {
  /** Open connections by the /48 of their IPv6 address. */
  private readonly sites = new Map<string, number>();

  constructor(
    private readonly accounts: Accounts,
    private readonly max: number,
  ) {}

  /** Counts a connection that was opened, or closed. */
  count({ site }: ClientConnection, change: 1 | -1): void {
    if (site === undefined) return;
    const size = (this.sites.get(site) ?? 0) + change;
    if (size > 0) this.sites.set(site, size);
    else this.sites.delete(site);
  }

  /**
   * The connection to close because `newest` was opened. One of its address, where that has its share. Where
   * there are too many in all, the one longest without progress whose last request had no valid key: of a /48
   * that has more than a caller's share, if there is one. A key loses one only where there is no other.
   */
  afterOpening(newest: ClientConnection, open: Open): ClientConnection | undefined {
    const isOwn = (each: ClientConnection) => each !== newest && !each.proxied;
    if (exceedsShare(newest, this.max))
      return longestWithoutProgress(newest.account.connections, isOwn) ?? newest;
    if (open.size <= this.max) return undefined;
    const site = this.crowdedSite();
    const isStranger = (each: ClientConnection) => each !== newest && !hasKey(each.account);
    const isOfSite = (each: ClientConnection) => each.site === site && isStranger(each);
    return (
      (site === undefined ? undefined : longestWithoutProgress(open.values(), isOfSite)) ??
      longestWithoutProgress(open.values(), isStranger) ??
      this.ofLargestKey(newest) ??
      newest
    );
  }

  /**
   * The connection to close because `asked` now belongs to a key, and keys would take the room of the others.
   */
  afterRequest(asked: ClientConnection, open: Open): ClientConnection | undefined {
    const room = this.max - Math.max(1, Math.floor(this.max * NEWCOMERS));
    if (open.size <= room || !hasKey(asked.account)) return undefined;
    let keyed = 0;
    for (const { account } of open.values()) if (hasKey(account)) keyed += 1;
    return keyed > room ? this.ofLargestKey(asked) : undefined;
  }

  /** The /48 with most connections, if it has more than a caller's share. */
  private crowdedSite(): string | undefined {
    let found: string | undefined;
    let most = shareOf(this.max);
    for (const [site, size] of this.sites) if (size > most) [found, most] = [site, size];
    return found;
  }

  /** Of the key that has most, the one longest without progress. */
  private ofLargestKey(except: ClientConnection): ClientConnection | undefined {
    const largest = this.accounts.largestOf(({ connections }) => connections.size, true);
    return largest && longestWithoutProgress(largest.connections, (each) => each !== except);
  }
}
