import { appendFileSync } from 'node:fs';
import { expect, inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The file with the rows of the table, one JSON object a line. */
    faultTable: string;
  }
}

/** What clients saw of a fault: one row of the table that the run ends with. */
export interface FaultRow {
  /** What was done to the gateway, in a few words. */
  fault: string;
  /** Requests that clients sent while it was there and until all was well again. */
  sent: number;
  /** Answers as they would have been without it. */
  right: number;
  /** 503 or 429 in the contract's form, with retry-after. */
  refused: number;
  /**
   * Connections that broke because the process behind them was killed, or that the gateway cut off on
   * purpose.
   */
  cut?: number;
  /** Answers that are neither right nor a clear refusal. Must be 0. */
  wrong: number;
  /** Rows that were reported as written, and are missing: counted, never assumed. Must be 0. */
  lost: number;
  /** From the end of the fault to the first right answer, milliseconds. */
  recoverMs?: number;
  /** Exit code of the process that was to end, or the signal that ended it. */
  exit?: string;
  /** From the signal to the end of that process, milliseconds. */
  endedMs?: number;
  /** Figures that are printed and not asserted, such as a p99. */
  note?: string;
}

/** What must hold of every fault: nothing wrong, nothing lost, and all right again in time. */
export function expectSound({
  wrongOnes,
  cutReasons,
  recovered,
}: {
  wrongOnes: string[];
  cutReasons: string[];
  recovered: boolean;
}): void {
  const seen = { wrongOnes, cutReasons, recovered };
  // Written out, because a report of the run shortens what it compares.
  expect(seen, JSON.stringify(seen)).toEqual({ wrongOnes: [], cutReasons: [], recovered: true });
}

/** Adds a row to the table, and fails when rows are lost. */
export function report(row: FaultRow): void {
  appendFileSync(inject('faultTable'), `${JSON.stringify(row)}\n`);
  expect(row.lost, `${row.fault}: rows lost`).toBe(0);
}

/**
 * How processes ended, for a row of the table: each code or signal once, and the longest time that one of
 * them took.
 */
export function endsOf(
  ...ends: readonly { code: number | null; signal: string | null; milliseconds: number }[]
): Pick<FaultRow, 'exit' | 'endedMs'> {
  const codes = new Set(ends.map(({ code, signal }) => String(code ?? signal)));
  return { exit: [...codes].join(', '), endedMs: Math.max(...ends.map(({ milliseconds }) => milliseconds)) };
}

const columns: [keyof FaultRow, string][] = [
  ['fault', 'fault'],
  ['sent', 'sent'],
  ['right', 'right'],
  ['refused', 'refused'],
  ['cut', 'cut off'],
  ['wrong', 'wrong'],
  ['lost', 'lost rows'],
  ['recoverMs', 'recovered, ms'],
  ['exit', 'exit'],
  ['endedMs', 'ended, ms'],
  ['note', ''],
];

/** The table as text. */
export function tableOf(rows: readonly FaultRow[]): string {
  const lines = rows.map((row) =>
    columns.map(([key]) => (typeof row[key] === 'number' ? String(Math.round(row[key])) : (row[key] ?? ''))),
  );
  const all = [columns.map(([, title]) => title), ...lines];
  const widths = columns.map((_, index) => Math.max(...all.map((line) => line[index]?.length ?? 0)));
  return all
    .map((line) =>
      line
        .map((cell, index) =>
          isText(index) ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function isText(index: number): boolean {
  return index === 0 || index === columns.length - 1;
}
