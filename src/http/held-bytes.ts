import { shareOf } from '../gate.js';
import type { Account, Accounts } from './accounts.js';
import { LOOK_MS } from './connection-times.js';
import { stalest, type ClientConnection } from './connection.js';

/** Memory for replies that were not read yet and for bodies that are being sent. */
export class HeldBytes {
  /** Held by all connections together. */
  bytes = 0;

  constructor(
    private readonly max: number,
    private readonly accounts: Accounts,
    private readonly drop: (connection: ClientConnection) => void,
  ) {}

  /** Whether the caller may be sent more; a reader that has stood still is cut off for it. */
  hasRoom(account: Account): boolean {
    if (account.bytes < shareOf(this.max)) return true;
    const before = performance.now() - 4 * LOOK_MS;
    const stuck = stalest(account.connections, (each) => each.phase === 'sending' && each.since < before);
    if (stuck) this.drop(stuck);
    return stuck !== undefined;
  }

  /**
   * Notes what a connection holds from now on. Whoever holds too much loses the replies that are read slowest, never the
   * only one; where all together hold too much, those of whoever holds most beside this connection go. So no more than the
   * maximum is held, or one reply that is larger alone.
   */
  hold(connection: ClientConnection, bytes: number): void {
    const { account } = connection;
    const more = bytes - connection.bytes;
    connection.bytes = bytes;
    account.bytes += more;
    this.bytes += more;
    if (more <= 0) return;
    const beside = (each: Account) => each.bytes - (each === account ? bytes : 0);
    const stalestOf = (each: Account | undefined) =>
      each && stalest(each.connections, (one) => one.bytes > 0 && one !== connection);
    for (;;) {
      const own = account.bytes > shareOf(this.max) ? stalestOf(account) : undefined;
      const victim = own ?? (this.bytes > this.max ? stalestOf(this.accounts.greediest(beside)) : undefined);
      if (!victim) return;
      this.drop(victim);
    }
  }
}
