import { badInput, quote } from '../errors.js';

/**
 * Unix seconds of the last moment of the year 9999, the latest that is asked for. Milliseconds of any time since 1978 are
 * beyond it: taken for seconds they would be a filter that nothing passes, or everything, in silence.
 */
export const LAST_SECOND = 253_402_300_799;

/**
 * @param seconds whole, 0 or more
 * @throws AppError BAD_USER_INPUT for what can only be milliseconds
 */
export function checkSeconds(name: string, seconds: bigint): void {
  if (seconds > LAST_SECOND)
    throw badInput(
      `${name}: ${quote(String(seconds))} is after the year 9999; it is Unix seconds, not milliseconds, at most ${LAST_SECOND}`,
    );
}
