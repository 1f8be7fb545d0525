import { shareOf } from '../gate.js';
import type { Account, Accounts } from './accounts.js';
import { LOOK_MS } from './connection-times.js';
import { stalest, type Connection } from './connection.js';

/** Memory for replies that were not read yet and for bodies that are being sent. */
export class HeldBytes {
  /** Held by all connections together. */
  bytes = 0;

  constructor(
    private readonly max: number,
    private readonly accounts: Accounts,
    private readonly drop: (connection: Connection) => void,
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
   * only one.
   */
  hold(connection: Connection, bytes: number): void {
    const { account } = connection;
    const more = bytes - connection.bytes;
    connection.bytes = bytes;
    account.bytes += more;
    this.bytes += more;
    if (more <= 0) return;
    for (;;) {
      const tooMuch = account.bytes > shareOf(this.max) ? account : undefined;
      const from = tooMuch ?? (this.bytes > this.max ? this.accounts.greediest(bytesOf) : undefined);
      const victim = from && stalest(from.connections, (each) => each.bytes > 0 && each !== connection);
      if (!victim) return;
      this.drop(victim);
    }
  }
}

const bytesOf = (account: Account) => account.bytes;
