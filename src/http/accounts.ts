import type { ClientConnection } from './connection.js';

/** What one caller, a key or else an address, holds of this process. */
export interface Account {
  readonly identity: string;
  /** Requests that are being answered. */
  slots: number;
  /** Those of them that are worked on; the others wait for their turn, or for the client to read. */
  running: number;
  readonly turns: (() => void)[];
  /** Until then, by `performance.now()`, it counts as one who asks for large replies. */
  largeUntil: number;
  /** Of replies that were not read yet and of bodies that are being sent. */
  bytes: number;
  readonly connections: Set<ClientConnection>;
}

/** The callers that hold anything; who holds nothing is forgotten. */
export class Accounts {
  private readonly byIdentity = new Map<string, Account>();

  of(identity: string): Account {
    let account = this.byIdentity.get(identity);
    if (!account) {
      account = {
        identity,
        slots: 0,
        running: 0,
        turns: [],
        largeUntil: 0,
        bytes: 0,
        connections: new Set(),
      };
      this.byIdentity.set(identity, account);
    }
    return account;
  }

  /** To be called whenever something was given back. */
  settle({ identity, slots, bytes, connections }: Account): void {
    if (slots === 0 && bytes === 0 && connections.size === 0) this.byIdentity.delete(identity);
  }

  /** The caller that holds most. */
  greediest(held: (account: Account) => number): Account | undefined {
    let most: Account | undefined;
    for (const account of this.byIdentity.values()) if (!most || held(account) > held(most)) most = account;
    return most;
  }
}
