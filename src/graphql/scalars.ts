import { GraphQLError, Kind } from 'graphql';
import { ceilDecimal } from '../numbers.js';
import type { Builder } from './builder.js';

const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 64n - 1n;
const BIG_NUMBER_END = 2n ** 256n;

/** Registers the scalars that GraphQL lacks. */
export function registerScalars(builder: Builder): void {
  builder.scalarType('BigNumber', {
    description:
      'A whole number of 0 to 2^256-1 as a string of decimal digits, exact: amounts (in the smallest unit of the asset; 1 AVAX = 10^9 nAVAX), block numbers, gas.',
    serialize: (value) => String(value),
    parseValue: (value) => toBigNumber(value),
    // From the digits as they are written: as a JavaScript number a large one would be another.
    parseLiteral: (node) =>
      toBigNumber(node.kind === Kind.INT || node.kind === Kind.STRING ? node.value : null),
  });

  builder.scalarType('Long', {
    description:
      'A whole number of 64 bits, -2^63 to 2^64-1: timestamps and locktimes (Unix seconds), weights, balances, indexes. A JSON number up to 2^53-1 in absolute value, beyond that a string of decimal digits, so that it stays exact.',
    serialize: (value) => toLong(value),
    parseValue: (value) => toLong(value),
    parseLiteral: (node) => toLong(node.kind === Kind.INT || node.kind === Kind.STRING ? node.value : null),
  });

  builder.scalarType('Decimal', {
    description:
      'A non-negative decimal number as a number or a string, for example 1000000000, "0.5" or "1e+21". Compared exactly.',
    serialize: (value) => String(value),
    parseValue: (value) => parseDecimal(value),
    parseLiteral: (node) =>
      parseDecimal(
        node.kind === Kind.INT || node.kind === Kind.FLOAT || node.kind === Kind.STRING ? node.value : null,
      ),
  });

  builder.scalarType('Json', {
    description: 'Any JSON value, for structures whose keys are data, such as the accounts of a genesis.',
    serialize: (value) => jsonSafe(value),
  });

  builder.scalarType('JsonText', {
    description: 'JSON text of rows for the REST replies. Internal: not part of the published schema.',
    serialize: (value) => value,
  });
}

function toBigNumber(value: unknown): string {
  const text = typeof value === 'string' || Number.isSafeInteger(value) ? String(value) : '';
  if (/^\d{1,78}$/.test(text) && BigInt(text) < BIG_NUMBER_END) return BigInt(text).toString();
  throw invalid('BigNumber', value, 'a string of decimal digits, 0 to 2^256-1');
}

function toLong(value: unknown): number | string {
  const text = typeof value === 'bigint' || typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && /^-?\d{1,20}$/.test(text)) {
    const exact = BigInt(text);
    if (exact >= LONG_MIN && exact <= LONG_MAX) {
      return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact.toString();
    }
  }
  throw invalid('Long', value, 'a whole number of -2^63 to 2^64-1');
}

function parseDecimal(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (ceilDecimal(text) === null) throw invalid('Decimal', value, 'a non-negative decimal number');
  return text;
}

function jsonSafe(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(jsonSafe);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, jsonSafe(each)]));
}

function invalid(scalar: string, value: unknown, allowed: string): GraphQLError {
  const shown = typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
  return new GraphQLError(`${scalar} cannot be ${shown}: it is ${allowed}`, {
    extensions: { code: 'BAD_USER_INPUT' },
  });
}
