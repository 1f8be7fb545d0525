import type { Statement } from './statement.js';

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

/** Which statements are short, by the times that they took. What is known of a statement is forgotten with it. */
export class ShortStatements {
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
