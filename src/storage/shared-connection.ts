import type pg from 'pg';
import { cancelStatement } from './cancel.js';
import type { NamedQuery } from './named-query.js';
import type { Statement } from './statement.js';
import { ReplyTooLarge } from './reply-bytes.js';
import type { SteadyClient } from './steady-client.js';

/** Most reads that are under way on one connection. 16 gave 100 clients 0.6 times the requests. */
const MOST_READS = 64;
/** A connection that has answered nothing for so long gets no further reads, milliseconds. */
const PROMPT_MS = 10;
/** A read is slow after so long: those behind it are sent again on other connections, milliseconds. */
export const SLOW_MS = 50;

/** Rejects a read that must be sent again on another connection, because of another read on this one. */
export const SEND_AGAIN = new Error('another read blocks the connection');

/** A read that is under way. */
export interface SentRead<Row> {
  readonly statement: Statement;
  /** When it was sent, by the clock of performance.now(). */
  readonly at: number;
  /** Rejected with what pg throws, or SEND_AGAIN. */
  readonly rows: Promise<Row[]>;
  sendAgain: () => void;
  /** Whether its answer is no longer wanted here. */
  isElsewhere: boolean;
}

/**
 * A borrowed connection of a pool on which several short reads are under way at once. The server runs and
 * answers them one after the other, in the order in which they were sent; an error of one leaves the others
 * alone.
 */
export class SharedConnection {
  /** Not answered yet, in the order in which they were sent. */
  private readonly sent: SentRead<unknown>[] = [];
  private answeredAt = 0;
  private wasIdle = false;
  private isBroken = false;
  private isOverfull = false;

  /** @param onAnswer called with the milliseconds that the server took for a read */
  constructor(
    private readonly client: pg.PoolClient & SteadyClient,
    private readonly onAnswer: (statement: Statement, ms: number) => void,
  ) {
    client.pipelined = true;
  }

  /** How many reads are under way. */
  get reads(): number {
    return this.sent.length;
  }

  /** Whether a further read would be answered soon. */
  isPrompt(now: number): boolean {
    // An idle one may have been lost without any read that fails.
    this.isBroken ||= !this.client.isUsable;
    if (this.isBroken || this.sent.length >= MOST_READS) return false;
    return this.sent.length === 0 || this.age(now) < PROMPT_MS;
  }

  /** Sends a read behind those that are under way. */
  send<Row extends object>(statement: Statement, query: NamedQuery<Row>): SentRead<Row> {
    const { promise, resolve, reject } = withResolvers<Row[]>();
    const sent: SentRead<Row> = {
      statement,
      at: performance.now(),
      rows: promise,
      sendAgain() {
        this.isElsewhere = true;
        reject(SEND_AGAIN);
      },
      isElsewhere: false,
    };
    this.sent.push(sent);
    this.wasIdle = false;
    query.rows.then(
      (rows) => {
        this.end(sent);
        resolve(rows);
      },
      (error: unknown) => {
        // Only the read whose answer arrives can be too large; the others are lost with its connection.
        if (this.isOverfull) sent.sendAgain();
        this.isOverfull ||= error instanceof ReplyTooLarge;
        this.isBroken = true;
        this.end(sent);
        reject(error as Error);
      },
    );
    this.client.query(query);
    return sent;
  }

  /**
   * Cancels a read in the server, if the server works on it and no other read waits behind it. The connection
   * is not used again.
   *
   * @returns whether it is cancelled, or was answered
   */
  cancel(read: SentRead<unknown>): boolean {
    if (!this.sent.includes(read) || read.isElsewhere) return true;
    if (this.sent[0] !== read || this.sent.some((each) => each !== read && !each.isElsewhere)) return false;
    this.isBroken = true;
    cancelStatement(this.client);
    return true;
  }

  /**
   * If the read that the server works on is slow, those behind it are sent again elsewhere. @returns the slow
   * one's statement
   */
  clearAway(now: number): Statement | undefined {
    if (this.sent.length === 0 || this.age(now) < SLOW_MS) return undefined;
    const [slow, ...behind] = this.sent;
    for (const each of behind) if (!each.isElsewhere) each.sendAgain();
    return slow?.statement;
  }

  /** Whether it has had no reads since the last call, or can have no more. */
  isUnused(): boolean {
    if (this.sent.length > 0) return false;
    const wasIdle = this.wasIdle || this.isBroken;
    this.wasIdle = true;
    return wasIdle;
  }

  /** Gives it back to its pool. Only without reads. */
  release(): void {
    this.client.pipelined = false;
    this.client.release(this.isBroken);
  }

  /** For how long the server has been working on the first read, milliseconds. */
  private age(now: number): number {
    return now - Math.max(this.sent[0]?.at ?? now, this.answeredAt);
  }

  private end(read: SentRead<unknown>): void {
    const now = performance.now();
    this.onAnswer(read.statement, now - Math.max(read.at, this.answeredAt));
    this.answeredAt = now;
    this.sent.splice(this.sent.indexOf(read), 1);
  }
}

/** Node 20 has no Promise.withResolvers. */
function withResolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: Error) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
