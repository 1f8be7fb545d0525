/**
 * Milliseconds before a process is replaced, by how many in its slot ended at once in a row; after one more
 * the gateway ends.
 */
const REPLACED_AFTER_MS = [0, 500, 1000, 2000, 4000, 8000];
export const LONGEST_PAUSE_MS = 8000;
/** A process that has served for so many milliseconds did not end at once. */
const SOUND_MS = 5000;

/** How soon processes that end are replaced. */
export class Restarts {
  /** By slot: processes in a row that ended at once. */
  private readonly failures = new Map<number, number>();

  /**
   * Counts the end of a process.
   *
   * @param servesSince when it began to serve, by `performance.now()`
   * @returns how many have ended at once before it, and after how many milliseconds it is replaced, if it is
   */
  ended(slot: number, servesSince: number | undefined): { before: number; milliseconds: number | undefined } {
    const wasSound = servesSince !== undefined && performance.now() - servesSince >= SOUND_MS;
    const before = wasSound ? 0 : (this.failures.get(slot) ?? 0);
    this.failures.set(slot, before + 1);
    return { before, milliseconds: REPLACED_AFTER_MS[before] };
  }
}

/** How a process ended, as the log says it after "a process". */
export function describeEnd(code: number | null, signal: string | null): string {
  return signal ? `was ended by ${signal}` : `ended with code ${code}`;
}
