import { shareOf } from '../concurrency-limit.js';
import type { Account, Accounts } from './accounts.js';
import { LOOK_MS } from './connection-times.js';
import { longestWithoutProgress, type ClientConnection } from './connection.js';

/** Memory for replies that were not read yet and for bodies that are being sent. */
export class UnsentBytes {
  /** Of all connections together. */
  bytes = 0;

  constructor(
    private readonly max: number,
    private readonly accounts: Accounts,
    private readonly drop: (connection: ClientConnection) => void,
  ) {}

  /** Whether the caller may be sent more; if not, a reader without progress loses its connection. */
  hasRoom(account: Account): boolean {
    if (account.bytes < shareOf(this.max)) return true;
    const before = performance.now() - 4 * LOOK_MS;
    const stuck = longestWithoutProgress(
      account.connections,
      (each) => each.phase === 'sending' && each.since < before,
    );
    if (stuck) this.drop(stuck);
    return stuck !== undefined;
  }

  /**
   * Sets how many bytes a connection uses from now on. A caller that uses too much loses the replies that are read
   * slowest, never its only one. If all callers together use too much, the caller that uses most, not counting this
   * connection, loses them. So the total is at most the maximum, or one single reply that is larger.
   */
  set(connection: ClientConnection, bytes: number): void {
    const { account } = connection;
    const more = bytes - connection.bytes;
    connection.bytes = bytes;
    account.bytes += more;
    this.bytes += more;
    if (more <= 0) return;
    const others = (each: Account) => each.bytes - (each === account ? bytes : 0);
    const slowestOf = (each: Account | undefined) =>
      each && longestWithoutProgress(each.connections, (one) => one.bytes > 0 && one !== connection);
    for (;;) {
      const own = account.bytes > shareOf(this.max) ? slowestOf(account) : undefined;
      const victim =
        own ?? (this.bytes > this.max ? slowestOf(this.accounts.largestUser(others)) : undefined);
      if (!victim) return;
      this.drop(victim);
    }
  }
}
