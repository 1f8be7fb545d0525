import type { Connection } from './connection.js';

/** What one caller, a key or else an address, holds of this process. */
export interface Account {
  readonly identity: string;
  /** Requests that are being answered. */
  slots: number;
  /** Of replies that were not read yet and of bodies that are being sent. */
  bytes: number;
  readonly connections: Set<Connection>;
}

/** The part of everything that one caller may hold: the others still have most of it when it holds all it can. */
const SHARE = 1 / 4;

/** One caller's share of something of which a process has `all`. */
export const shareOf = (all: number): number => Math.max(1, Math.floor(all * SHARE));

/** The callers that hold anything; who holds nothing is forgotten. */
export class Accounts {
  private readonly byIdentity = new Map<string, Account>();

  of(identity: string): Account {
    let account = this.byIdentity.get(identity);
    if (!account) {
      account = { identity, slots: 0, bytes: 0, connections: new Set() };
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
