import { setTimeout as sleep } from 'node:timers/promises';
import { shareOf } from '../concurrency-limit.js';
import type { AppError } from '../errors.js';
import { hasKey, type Account } from './accounts.js';
import type { Connections } from './connections.js';
import { busy, overloaded, shuttingDown, tooMuchUnread } from './refusals.js';

/** How often a closing server checks whether the last request is answered, milliseconds. */
const LOOK_MS = 20;
/** After this time a closing server answers the remaining requests with 503, milliseconds. */
export const CUT_MS = 8000;

/** How long the clients of streams have to read why these end, milliseconds. */
const GOODBYE_MS = 1000;

/** The requests that a server is answering, and why it accepts no more of them. */
export class Load {
  /** The last request except health checks and metrics, by `performance.now()`; 0 for none. */
  lastRequestAt = 0;
  /** Requests refused with 503 so far: too many in flight, too many of the caller, the server closing. */
  readonly refusals = { busy: 0, share: 0, closing: 0 };
  private requests = 0;
  private keyless = 0;
  private announcedAt: number | undefined;
  private isReplaced = false;
  private isClosed = false;
  private isCut = false;
  private readonly listeners: (() => void)[] = [];
  private readonly share: number;

  /**
   * @param most requests in flight; one caller may have a quarter of them, and callers without a key all but
   *   a quarter: many addresses cost a stranger little
   */
  constructor(
    private readonly most: number,
    private readonly open: Connections,
  ) {
    this.share = shareOf(most);
  }

  /** Requests that are being answered; without health checks and metrics. */
  get inFlight(): number {
    return this.requests;
  }

  /** Whether more than half of the requests that may be in flight are. */
  get isCrowded(): boolean {
    return this.requests > this.most / 2;
  }

  /** Open connections. */
  get connections(): number {
    return this.open.size;
  }

  /** Bytes of replies that clients have not read yet and of bodies that they are sending. */
  get unsentBytes(): number {
    return this.open.unsent.bytes;
  }

  /** Whether clients should go elsewhere: the server closes or has said that it will. */
  get closing(): boolean {
    return this.endsConnections && !this.isReplaced;
  }

  /** Whether each reply is the last one on its connection. */
  get endsConnections(): boolean {
    return this.announcedAt !== undefined;
  }

  /**
   * Makes the health checks say that the server will close, while it still accepts requests: a balancer then
   * sends no more.
   */
  announceClosing(): void {
    if (this.announcedAt !== undefined) return;
    this.announcedAt = performance.now();
    for (const each of this.listeners) each();
  }

  /** Calls `listener` once the server is about to close, or another one replaces it. */
  onClosing(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Ends each connection with its next reply: new ones reach the process that replaces this one. */
  giveWay(): void {
    this.isReplaced = true;
    this.announceClosing();
  }

  /** Accepts no more requests; resolves when the last one is answered, or answers them with 503 after 8 s. */
  async close(): Promise<void> {
    this.announceClosing();
    this.isClosed = true;
    const deadline = (this.announcedAt ?? 0) + CUT_MS;
    // Streams have ended by now, with a reason.
    const goodbye = performance.now() + GOODBYE_MS;
    const isBusy = () => this.requests > 0 || (this.open.hasStreams && performance.now() < goodbye);
    while (!this.isCut && isBusy() && performance.now() < deadline) await sleep(LOOK_MS);
    this.cut();
  }

  /** Answers all unanswered requests with 503 at once and closes every connection. */
  cut(): void {
    this.isCut = true;
    this.open.cut(shuttingDown());
  }

  /** Why no caller's request is accepted now. A refusal is counted. */
  refusal(): AppError | undefined {
    if (this.isClosed) {
      this.refusals.closing += 1;
      return shuttingDown();
    }
    if (this.requests < this.most) return undefined;
    this.refusals.busy += 1;
    return overloaded(this.most);
  }

  /** Why no request of this caller is accepted now. A refusal is counted. */
  refusalOf(account: Account): AppError | undefined {
    const error = this.refusal();
    if (error) return error;
    if (!hasKey(account) && this.keyless >= Math.max(1, this.most - this.share)) {
      this.refusals.busy += 1;
      return overloaded(this.keyless);
    }
    const share = account.inFlight >= this.share ? busy(account) : this.unread(account);
    if (share) this.refusals.share += 1;
    return share;
  }

  /** The refusal of a caller who reads too little of what it was sent. */
  unread(account: Account): AppError | undefined {
    return this.open.unsent.hasRoom(account) ? undefined : tooMuchUnread();
  }

  /** Counts a request of the caller. */
  enter(account: Account): void {
    account.inFlight += 1;
    this.requests += 1;
    if (!hasKey(account)) this.keyless += 1;
  }

  /** Counts it no longer. */
  leave(account: Account): void {
    this.requests -= 1;
    if (!hasKey(account)) this.keyless -= 1;
    account.inFlight -= 1;
    this.open.accounts.settle(account);
  }
}
