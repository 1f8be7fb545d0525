import { DAY_SECONDS } from '../src/avalanche/seconds.js';

/** The sample's year: every block lies between these, in Unix seconds. */
export const firstSecond = Date.UTC(2025, 10, 1) / 1000;
export const lastSecond = Date.UTC(2026, 9, 31) / 1000;
/** When the X-chain of the sample began to have blocks; before, its transactions were in vertices. */
export const linearisation = Date.UTC(2026, 0, 1) / 1000;

/** Whole days as seconds. */
export function days(count: number): number {
  return Math.round(count * DAY_SECONDS);
}
