import { unlessFailed } from '../follow/node/error.js';

/** A difference between what is stored and what it should be. */
export interface Finding {
  /** Which row, for people: its key. */
  readonly row: string;
  /** Which of its columns; null for a row that is missing, or should not exist. */
  readonly column: string | null;
  readonly stored: string;
  readonly proved: string;
}

/** What was compared, and what came of it. */
export interface Outcome {
  /** A table, or what else was compared. */
  readonly name: string;
  /** What it was compared with. */
  readonly by: string;
  /** How many were compared: rows, addresses, validators. */
  readonly compared: number;
  readonly differences: number;
  /** The first ones. */
  readonly findings: readonly Finding[];
  /** Why it could not be compared; null when it was. */
  readonly problem: string | null;
  /** Rows that differ because the database has a gap: what is missing is known and requested again. */
  readonly missing: number;
  /** For people, a line for each: gaps. */
  readonly gaps: readonly string[];
}

/** Differences of one outcome that are shown. */
const MOST_SHOWN = 5;

/** Collects the differences of one comparison. */
export class Findings {
  private readonly shown: Finding[] = [];
  private count = 0;
  private missing = 0;

  /** A row differs because the database has a gap. */
  noteMissing(): void {
    this.missing += 1;
  }

  add(finding: Finding): void {
    this.count += 1;
    if (this.shown.length < MOST_SHOWN) this.shown.push(finding);
  }

  outcome(name: string, by: string, compared: number): Outcome {
    const { count: differences, shown: findings, missing } = this;
    return { ...noDifference(name, by, compared), differences, findings, missing };
  }
}

/** What a comparison came to; a node without a usable answer is a reason why it could not be made. */
export const orNotCompared = (
  name: string,
  by: string,
  work: () => Promise<readonly Outcome[]>,
): Promise<readonly Outcome[]> => unlessFailed(work(), ({ message }) => [notCompared(name, by, message)]);

export const noDifference = (name: string, by: string, compared: number): Outcome => ({
  name,
  by,
  compared,
  differences: 0,
  findings: [],
  problem: null,
  missing: 0,
  gaps: [],
});

export const notCompared = (name: string, by: string, problem: string): Outcome => ({
  ...noDifference(name, by, 0),
  problem,
});
