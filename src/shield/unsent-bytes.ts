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
    const share = shareOf(this.max);
    if (account.bytes < share) return true;
    const large = largest(account.connections, share);
    if (account.bytes - (large?.bytes ?? 0) < share) return true;
    const before = performance.now() - 4 * LOOK_MS;
    const stuck = longestWithoutProgress(
      account.connections,
      (each) => each.phase === 'sending' && each.since < before,
    );
    if (stuck) this.drop(stuck);
    return stuck !== undefined;
  }

  /**
   * Sets how many bytes a connection uses from now on. A caller that uses too much loses the replies that are
   * read slowest. If all callers together use too much, the caller that uses most, not counting this
   * connection, loses them, one without a key if there is any. One single reply that is larger than the bound
   * does not count for it: who reads a large reply may ask for small ones meanwhile.
   */
  set(connection: ClientConnection, bytes: number): void {
    const { account } = connection;
    const more = bytes - connection.bytes;
    connection.bytes = bytes;
    account.bytes += more;
    this.bytes += more;
    if (more <= 0) return;
    for (;;) {
      const victim = this.ofItsCaller(connection) ?? this.ofAll(connection);
      if (!victim) return;
      this.drop(victim);
    }
  }

  private ofItsCaller(newest: ClientConnection): ClientConnection | undefined {
    const { account } = newest;
    const share = shareOf(this.max);
    if (account.bytes <= share) return undefined;
    const large = largest(account.connections, share);
    if (account.bytes - (large?.bytes ?? 0) <= share) return undefined;
    return slowest(account, [newest, large]) ?? (large === newest ? undefined : large);
  }

  private ofAll(newest: ClientConnection): ClientConnection | undefined {
    if (this.bytes <= this.max) return undefined;
    const large = largest(this.accounts.connections(), this.max);
    if (this.bytes - (large?.bytes ?? 0) <= this.max) return undefined;
    const uncounted = [...new Set([newest, large])];
    const used = (account: Account) =>
      uncounted.reduce((rest, each) => rest - (each?.account === account ? each.bytes : 0), account.bytes);
    const most = this.accounts.largestUser(used);
    return (most && slowest(most, uncounted)) ?? (large === newest ? undefined : large);
  }
}

/** The connection that uses most bytes, if it uses more than so many. */
function largest(connections: Iterable<ClientConnection>, bytes: number): ClientConnection | undefined {
  let found: ClientConnection | undefined;
  for (const each of connections) if (each.bytes > (found?.bytes ?? bytes)) found = each;
  return found;
}

/** The connection of a caller whose reply is read slowest, but none of these. */
function slowest(
  { connections }: Account,
  others: readonly (ClientConnection | undefined)[],
): ClientConnection | undefined {
  return longestWithoutProgress(connections, (each) => each.bytes > 0 && !others.includes(each));
}
