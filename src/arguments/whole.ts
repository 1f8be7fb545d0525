import { DIGITS, only } from '../avalanche/patterns.js';
import { checkSeconds, LAST_SECOND } from '../avalanche/seconds.js';
import { badInput, quote } from '../errors.js';
import { wholeDecimal } from '../numbers.js';
import { optional, type Argument, type ArgumentSchema } from './argument.js';

/** The schema of a time, and of a number of seconds. */
export const secondsSchema = { type: 'integer', format: 'int64', minimum: 0, maximum: LAST_SECOND };

/**
 * A whole number of 0 or more; may be omitted.
 *
 * @param read makes the value of it, or refuses it
 * @param parse reads the text, null for what is no number: one that may be written as `1e+9` if not given
 */
export const wholeArgument = <T>(
  description: string,
  schema: ArgumentSchema,
  read: (name: string, number: bigint) => T,
  parse: (text: string) => bigint | null = wholeDecimal,
): Argument<T | null> =>
  optional({
    type: 'Decimal',
    description,
    schema,
    read: (name, value) => {
      const number = parse(String(value));
      if (number === null)
        throw badInput(`${name}: ${quote(String(value))} is not a whole number of 0 or more`);
      return read(name, number);
    },
  });

/** An amount as decimal digits alone; may be omitted. */
export const digitsArgument = (description: string): Argument<string | null> =>
  wholeArgument(
    description,
    { type: 'string', pattern: only(DIGITS) },
    (_name, amount) => amount.toString(),
    (text) => (new RegExp(only(DIGITS)).test(text) ? BigInt(text) : null),
  );

/** A bound by time in Unix seconds. @param made its value */
export const secondsArgument = <T>(description: string, made: (moment: bigint) => T): Argument<T | null> =>
  wholeArgument(
    `${description} Unix seconds, a whole number of 0 to ${LAST_SECOND}.`,
    secondsSchema,
    (name, moment) => {
      checkSeconds(name, moment);
      return made(moment);
    },
  );
