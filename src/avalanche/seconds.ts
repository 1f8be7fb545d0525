import { badInput, quote } from '../errors.js';

/** Unix seconds of the last moment of the year 9999. */
export const LAST_SECOND = 253_402_300_799;
/** Milliseconds of any time since 1978, and microseconds too, are after the one and not after the other. */
const LAST_MICROSECOND = LAST_SECOND * 1e6;

/**
 * Refuses what can only be milliseconds: taken for seconds they would be a filter that nothing passes, or everything, in
 * silence. What is later still, such as 2^64-1, stands for no bound.
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
