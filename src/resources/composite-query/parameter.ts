import type { Argument, Arguments, ArgumentValues } from '../../arguments/argument.js';
import { digitsForm, GIVEN_EVM_ADDRESS, only } from '../../avalanche/patterns.js';
import { checkSeconds, LAST_SECOND } from '../../avalanche/seconds.js';
import { badInput, shown } from '../../errors.js';
import { DATE_PATTERN, MOST_OF_DATE, parseDay } from '../evm-holding/day.js';
import { MAX_EVM_CHAIN_ID, parseAddressDigits } from '../evm-holding/holding.js';

/** The values as far as they could be read: a wrong one is undefined. */
export type ReadValues<A extends Arguments> = {
  [K in keyof A]: ArgumentValues<A>[K] | undefined;
};

/** The argument as one that may be omitted; null means the same. */
export function nullable<T>(argument: Argument<T>): Argument<T | null> {
  return {
    ...argument,
    optional: true,
    read: (name, value, earlier) =>
      value === undefined || value === null ? null : argument.read(name, value, earlier),
  };
}

/** Above any balance: 78 digits, the most that GraphQL's BigNumber accepts. */
const BEYOND_BALANCES = '9'.repeat(78);
/** An id that the database accepts and no chain has: an empty answer, as for any chain that is not stored. */
const NO_CHAIN = 2n ** 63n - 1n;

export const evmChainId: Argument<bigint> = {
  type: 'String',
  description:
    'EVM chain id in decimal digits, for example 43114. A chain that is not indexed matches no addresses.',
  schema: { type: 'string', ...digitsForm, example: '43114' },
  read: (name, value) => {
    if (typeof value !== 'string' || !/^\d{1,78}$/.test(value))
      throw wrong(name, value, 'an EVM chain id, a string of decimal digits');
    const id = BigInt(value);
    return id > MAX_EVM_CHAIN_ID ? NO_CHAIN : id;
  },
};

function date(which: string): Argument<number> {
  return {
    type: 'String',
    description: `${which} day, inclusive: YYYY-MM-DD, or an ISO 8601 date-time, of which only the UTC day is used.`,
    schema: { type: 'string', pattern: DATE_PATTERN, maxLength: MOST_OF_DATE, example: '2026-10-01' },
    read: (name, value) => {
      const day = typeof value === 'string' ? parseDay(value) : null;
      if (day === null) throw wrong(name, value, 'a date, YYYY-MM-DD or an ISO 8601 date-time');
      return day;
    },
  };
}

export const dates = { firstDate: date('First'), lastDate: date('Last') };

function timestamp(which: string): Argument<number> {
  return {
    type: 'Long',
    description: `${which} time, inclusive, Unix seconds; only its UTC day is used.`,
    schema: { type: 'integer', format: 'int64', minimum: 0, maximum: LAST_SECOND },
    read: (name, value) => {
      if (Number.isSafeInteger(value) && (value as number) > 0) checkSeconds(name, BigInt(value as number));
      if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > LAST_SECOND)
        throw wrong(name, value, `Unix seconds, a whole number of 0 to ${LAST_SECOND}`);
      return value;
    },
  };
}

export const timestamps = { startTs: timestamp('First'), endTs: timestamp('Last') };

export const minBalance: Argument<bigint> = {
  // Not BigNumber: a balance above what can be stored matches no address, and is no error.
  type: 'Decimal',
  description:
    'Lowest balance that matches, decimal digits in the smallest unit (wei). 0 matches every address that has a recorded balance of the coin or token.',
  schema: { type: 'string', pattern: '^[0-9]+$', maxLength: 1000, example: '1000000000000000000' },
  read: (name, value) => {
    if (typeof value !== 'string' || !/^\d{1,1000}$/.test(value))
      throw wrong(name, value, 'a balance, a string of decimal digits');
    return BigInt(value);
  },
};

export const contractAddress: Argument<string> = {
  type: 'String',
  description: 'Address of the contract, 0x and 40 hex digits in any case.',
  schema: { type: 'string', pattern: only(GIVEN_EVM_ADDRESS) },
  read: (name, value) => {
    const address = typeof value === 'string' ? parseAddressDigits(value) : null;
    if (address === null) throw wrong(name, value, 'a contract address, 0x and 40 hex digits');
    return address;
  },
};

export const tokenType: Argument<'NATIVE' | 'ERC20'> = {
  type: 'CompositeTokenType',
  description: 'NATIVE for the coin of the chain, ERC20 for a token, which contractAddress names.',
  schema: { type: 'string', enum: ['NATIVE', 'ERC20'] },
  read: (name, value) => {
    if (value !== 'NATIVE' && value !== 'ERC20') throw wrong(name, value, 'NATIVE or ERC20');
    return value;
  },
};

/** @throws AppError BAD_USER_INPUT when the first day is after the last one */
export function checkDates({ firstDate, lastDate }: Readonly<Record<string, unknown>>): void {
  if (typeof firstDate === 'number' && typeof lastDate === 'number' && firstDate > lastDate)
    throw badInput('firstDate: is after lastDate');
}

/** Converts a value from REST's form to that of the GraphQL input. */
export function forGraphQL(parameter: Argument<unknown>, value: unknown): unknown {
  if (parameter.type !== 'Decimal') return value;
  const digits = String(value).replace(/^0+(?=\d)/, '');
  return digits.length > BEYOND_BALANCES.length ? BEYOND_BALANCES : digits;
}

/** The refusal of a wrong value. */
export function wrong(name: string, value: unknown, allowed: string): Error {
  if (value === undefined || value === null) return badInput(`${name}: is missing; it must be ${allowed}`);
  return badInput(`${name}: ${shown(value)} is not ${allowed}`);
}
