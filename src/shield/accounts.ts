import type { ClientConnection } from './connection.js';

/** What one caller, a key or else an address, uses of this process. */
export interface Account {
  readonly identity: string;
  /** Requests that are being answered. */
  inFlight: number;
  /** Those of them that are being worked on; the others wait to start, or for the client to read. */
  running: number;
  readonly queued: (() => void)[];
  /** Until then, by `performance.now()`, it counts as a caller of large replies. */
  largeUntil: number;
  /** Of replies that were not read yet and of bodies that are being sent. */
  bytes: number;
  readonly connections: Set<ClientConnection>;
}

/** Whether a caller is known by a valid key, and not by an address. */
export const hasKey = ({ identity }: Account): boolean => identity.startsWith('key:');

/** The callers that use anything; a caller that uses nothing is forgotten. */
export class Accounts {
  private readonly byIdentity = new Map<string, Account>();

  of(identity: string): Account {
    let account = this.byIdentity.get(identity);
    if (!account) {
      account = {
        identity,
        inFlight: 0,
        running: 0,
        queued: [],
        largeUntil: 0,
        bytes: 0,
        connections: new Set(),
      };
      this.byIdentity.set(identity, account);
    }
    return account;
  }

  /** Those of all callers. */
  all(): Iterable<Account> {
    return this.byIdentity.values();
  }

  /** To be called whenever a caller uses less. */
  settle({ identity, inFlight, bytes, connections }: Account): void {
    if (inFlight === 0 && bytes === 0 && connections.size === 0) this.byIdentity.delete(identity);
  }

  /** The connections of all callers. */
  *connections(): Generator<ClientConnection> {
    for (const { connections } of this.byIdentity.values()) yield* connections;
  }

  /** The caller that uses most, of those that use anything: one without a key if there is any. */
  largestUser(use: (account: Account) => number): Account | undefined {
    return this.largestOf(use, false) ?? this.largestOf(use, true);
  }

  /** The same among callers with a key, or among those without. */
  largestOf(use: (account: Account) => number, keyed: boolean): Account | undefined {
    let most: Account | undefined;
    let mostUsed = 0;
    for (const account of this.byIdentity.values()) {
      if (hasKey(account) !== keyed) continue;
      const used = use(account);
      if (used > mostUsed) [most, mostUsed] = [account, used];
    }
    return most;
  }
}
