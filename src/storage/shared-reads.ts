import type pg from 'pg';
import type { Statement } from './statement.js';
import { SharedConnection, SLOW_MS } from './shared-connection.js';
import { SteadyClient } from './steady-client.js';

/** Most connections of a pool that are shared. */
const MOST_SHARED = 2;
/** A smaller pool shares none, so that at least half of it is for everything else. */
const SMALLEST_POOL = 2 * MOST_SHARED;

/** The use of the shared connections of a pool, for metrics. */
export interface SharedFigures {
  /** How many connections are shared now. */
  connections: number;
  /** Reads that were sent on shared connections. */
  reads: number;
  /** Those of them that were sent again on another connection. */
  again: number;
}

/** Runs of a statement before it can count as short. */
const RUNS = 3;
/** A statement is short if it usually takes less, milliseconds. */
const SHORT_MS = 3;
/** The part of a new time in the usual one. */
const WEIGHT = 0.2;
/** How long a statement behind which others had to wait does not count as short, milliseconds. */
const PENALTY_MS = 1000;

interface Times {
  runs: number;
  /** Milliseconds. */
  usual: number;
  /** Until when it does not count as short. */
  penalty: number;
}

/**
 * Which statements are short, by the times that they took. What is known of a statement is forgotten with it.
 */
class ShortStatements {
  private readonly times = new WeakMap<Statement, Times>();

  /** @param now by the clock of performance.now() */
  has(statement: Statement, now: number): boolean {
    const times = this.times.get(statement);
    return times !== undefined && times.runs >= RUNS && times.usual < SHORT_MS && times.penalty <= now;
  }

  /** Notes a run. @param ms that the server took, milliseconds */
  note(statement: Statement, ms: number): void {
    const times = this.times.get(statement);
    if (!times) return void this.times.set(statement, { runs: 1, usual: ms, penalty: 0 });
    times.runs += 1;
    times.usual += WEIGHT * (ms - times.usual);
  }

  /** Notes that others had to wait behind it: it does not count as short for a second. */
  noteSlow(statement: Statement, now: number): void {
    const times = this.times.get(statement);
    if (times) times.penalty = now + PENALTY_MS;
  }
}

/**
 * Which connections of a pool are shared by short reads (docs/decisions/0060-shared-connections.md). A
 * connection is borrowed for a read as always, and shared until it has had none for a while.
 */
export class SharedReads {
  private static readonly all = new WeakMap<pg.Pool, SharedReads>();

  readonly short = new ShortStatements();
  readonly figures: SharedFigures = { connections: 0, reads: 0, again: 0 };
  private readonly open: SharedConnection[] = [];
  private sweep: NodeJS.Timeout | undefined;

  private constructor(private readonly pool: pg.Pool) {}

  /** The one of a pool. */
  static of(pool: pg.Pool): SharedReads {
    const known = SharedReads.all.get(pool);
    if (known) return known;
    const made = new SharedReads(pool);
    SharedReads.all.set(pool, made);
    return made;
  }

  /** A shared connection that would soon answer a short statement; undefined: borrow one. */
  connectionFor(statement: Statement): SharedConnection | undefined {
    if (this.open.length === 0) return undefined;
    const now = performance.now();
    if (!this.short.has(statement, now)) return undefined;
    let found: SharedConnection | undefined;
    for (const each of this.open)
      if (each.isPrompt(now) && (!found || each.reads < found.reads)) found = each;
    return found;
  }

  /**
   * Shares a connection that was borrowed for a statement, if this is short and there are not enough; else
   * undefined.
   */
  share(client: pg.PoolClient, statement: Statement): SharedConnection | undefined {
    const { pool, open } = this;
    // Even if others wait for a connection: one that is shared leaves fewer of them to wait.
    if (open.length >= MOST_SHARED || pool.options.max < SMALLEST_POOL) return undefined;
    if (!(client instanceof SteadyClient) || !this.short.has(statement, performance.now())) return undefined;
    const shared = new SharedConnection(client, (each, ms) => this.short.note(each, ms));
    open.push(shared);
    this.figures.connections = open.length;
    // Timers run before sockets are read: after a pause of this process answers may be unread.
    this.sweep ??= setInterval(() => setImmediate(() => this.look()), SLOW_MS).unref();
    return shared;
  }

  private look(): void {
    const now = performance.now();
    for (const shared of [...this.open]) {
      const slow = shared.clearAway(now);
      if (slow) this.short.noteSlow(slow, now);
      if (!shared.isUnused()) continue;
      this.open.splice(this.open.indexOf(shared), 1);
      shared.release();
    }
    this.figures.connections = this.open.length;
    if (this.open.length > 0) return;
    clearInterval(this.sweep);
    this.sweep = undefined;
  }
}
