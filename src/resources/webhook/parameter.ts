import { optional, type Argument } from '../../arguments/argument.js';
import { badInput, quote, shown } from '../../errors.js';

/** Most node or subnet ids that narrow a webhook. */
const MOST_IDS = 64;
const LONGEST_URL = 2048;

/** A text for people. */
export const text = (description: string, longest: number): Argument<string> => ({
  type: 'String',
  description: `${description} At most ${longest} characters, without NUL.`,
  schema: { type: 'string', maxLength: longest },
  read: (name, value) => {
    if (typeof value === 'string' && value.length <= longest && !value.includes('\0')) return value;
    throw badInput(`${name}: ${shown(value)} is not a text of at most ${longest} characters without NUL`);
  },
});

/** Where events are sent. */
export const url: Argument<string> = {
  type: 'String',
  description: `Where events are sent: an http or https address of the public internet, at most ${LONGEST_URL} characters.`,
  schema: { type: 'string', format: 'uri', maxLength: LONGEST_URL },
  read: (name, value) => {
    if (value === undefined) throw badInput(`${name}: is missing; it must be an http or https address`);
    const given = typeof value === 'string' ? value : '';
    if (given.length <= LONGEST_URL && URL.canParse(given) && /^https?:$/.test(new URL(given).protocol))
      return given;
    throw badInput(
      `${name}: ${quote(given)} is not an http or https address of at most ${LONGEST_URL} characters`,
    );
  },
};

/** A list of texts. */
export const listOf = <T>(
  type: string,
  description: string,
  readItems: (name: string, items: readonly string[], earlier: Readonly<Record<string, unknown>>) => T,
): Argument<T> => ({
  type: [type],
  description,
  schema: { type: 'array', items: { type: 'string' } },
  read: (name, value, earlier) => {
    if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
      return readItems(name, value, earlier);
    throw badInput(
      `${name}: ${value === undefined ? 'is missing' : shown(value)}; it must be a list of texts`,
    );
  },
});

/** Ids that narrow a webhook. */
export const ids = (description: string, readOne: (name: string, text: string) => string) =>
  optional(
    listOf('String', `${description} At most ${MOST_IDS}. If omitted or empty, all.`, (name, items) => {
      if (items.length > MOST_IDS)
        throw badInput(`${name}: ${items.length} are too many; at most ${MOST_IDS}`);
      return [...new Set(items.map((item) => readOne(name, item)))];
    }),
  );

/** An amount of AVAX. */
export const amount = (description: string): Argument<string | null> =>
  optional({
    type: 'BigNumber',
    description,
    schema: { type: 'string', pattern: '^[0-9]+$', maxLength: 20 },
    read: (name, value) => {
      if (/^\d{1,20}$/.test(String(value))) return BigInt(String(value)).toString();
      throw badInput(`${name}: ${shown(value)} is not an amount in nAVAX: up to 20 decimal digits`);
    },
  });
