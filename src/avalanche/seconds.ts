import { badInput, quote } from '../errors.js';

/** Seconds of a day; days begin at 00:00 UTC. */
export const DAY_SECONDS = 86_400;

/** The day of a time in Unix seconds, counted from 1970-01-01 (UTC). */
export const dayOf = (seconds: number): number => Math.floor(seconds / DAY_SECONDS);

/** Unix seconds of the last second of the year 9999. */
export const LAST_SECOND = 253_402_300_799;
/** Any time since 1978 in milliseconds, or in microseconds, lies between these two bounds. */
const LAST_MICROSECOND = LAST_SECOND * 1e6;

/**
 * Refuses what can only be milliseconds: read as seconds, such a filter would silently match nothing, or
 * everything. Even larger values, such as 2^64-1, mean no bound.
 *
 * @param seconds whole, 0 or more
 * @throws AppError BAD_USER_INPUT
 */
export function checkSeconds(name: string, seconds: bigint): void {
  if (seconds > LAST_SECOND && seconds <= LAST_MICROSECOND)
    throw badInput(
      `${name}: ${quote(String(seconds))} is after the year 9999; it must be Unix seconds, not milliseconds, at most ${LAST_SECOND}`,
    );
}
