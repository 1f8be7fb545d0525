import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { verdict } from './statistics.js';

/** A figure of a benchmark, and its goal. */
export interface Measure {
  /** What is measured, with its unit, such as `25 UTXOs: throughput ÷ PostGraphile's`. */
  name: string;
  /** Such as `at least 2.3`. */
  wanted: string;
  /** The median, often with its range. */
  measured: string;
  isMet: boolean;
}

/** What benchmarks leave for the page that `bench -- all` writes. */
type Note = { measure: Measure } | { section: string };

/** The file to which the benchmarks that `bench -- all` starts add their notes, JSON lines. */
export const NOTES_FILE = 'MORAINE_BENCH_NOTES';

/** The exit code of a benchmark that could not measure everything; of one that misses a goal it may be 1. */
export const FAILED = 2;

function note(each: Note): void {
  const file = process.env[NOTES_FILE];
  if (file) appendFileSync(file, `${JSON.stringify(each)}\n`);
}

/** Notes a measure. @returns what is printed next to its goal */
export function judge(measure: Measure): string {
  note({ measure });
  return verdict(measure.isMet);
}

/** Notes Markdown for docs/performance.md. */
export const noteSection = (section: string) => note({ section });

/** The notes in a file. */
export function readNotes(file: string): { measures: Measure[]; sections: string[] } {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const notes = lines.map((line) => JSON.parse(line) as Note);
  return {
    measures: notes.flatMap((each) => ('measure' in each ? [each.measure] : [])),
    sections: notes.flatMap((each) => ('section' in each ? [each.section] : [])),
  };
}
