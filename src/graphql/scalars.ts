import { GraphQLError, Kind, print, type ValueNode } from 'graphql';
import { shorten, shown } from '../errors.js';
import { ceilDecimal } from '../numbers.js';
import type { Builder } from './builder.js';

const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 64n - 1n;
const BIG_NUMBER_END = 2n ** 256n;

export function registerScalars(builder: Builder): void {
  builder.scalarType('BigNumber', {
    description:
      'A whole number of 0 or more, as an exact string of decimal digits: amounts (in the smallest unit of the asset; 1 AVAX = 10^9 nAVAX), block numbers, gas, nonces, ids and counts of tokens. A single value is at most 2^256-1; a sum may be larger. An argument is 0 to 2^256-1: a string of 1 to 78 digits, or a whole number of any length without quotes. Leading zeros are allowed; a sign, a fraction or an exponent is not.',
    // Its lexical form: without a sign or leading zeros, as the canonical one there.
    specifiedByURL: 'https://www.w3.org/TR/xmlschema11-2/#nonNegativeInteger',
    serialize: (value) => String(value),
    parseValue: (value) => toBigNumber(value),
    // From the digits as they are written: JavaScript would round a large number.
    parseLiteral: (node) => toBigNumber(literalText(node, [Kind.INT, Kind.STRING]), node),
  });

  builder.scalarType('Long', {
    description:
      'A whole number of 64 bits, -2^63 to 2^64-1: timestamps and locktimes (Unix seconds), weights, balances, indexes. A JSON number up to 2^53-1 in absolute value, beyond that a string of decimal digits, so that it stays exact.',
    // Says when a number is exact in JSON, and that a larger one should be a string.
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc7493#section-2.2',
    serialize: (value) => toLong(value),
    parseValue: (value) => toLong(value),
    parseLiteral: (node) => toLong(literalText(node, [Kind.INT, Kind.STRING]), node),
  });

  builder.scalarType('Decimal', {
    description:
      'A non-negative decimal number as a number or a string, for example 1000000000, "0.5" or "1e+21". Compared exactly. Where only a whole number makes sense, as for blocks and times, it may be written in these forms too (5.0, 1e+3); any other value is refused.',
    // The form of numbers, which a string may have too.
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-6',
    serialize: (value) => String(value),
    parseValue: (value) => parseDecimal(value),
    parseLiteral: (node) => parseDecimal(literalText(node, [Kind.INT, Kind.FLOAT, Kind.STRING]), node),
  });

  builder.scalarType('Json', {
    description: 'Any JSON value, for structures whose keys are data, such as the accounts of a genesis.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
    serialize: (value) => jsonSafe(value),
  });

  builder.scalarType('JsonText', {
    description: 'JSON text of rows for the REST replies. Internal: not part of the published schema.',
    serialize: (value) => value,
  });
}

/** The text of a literal of one of these kinds; null for one of another kind. */
function literalText(node: ValueNode, kinds: readonly Kind[]): string | null {
  return kinds.includes(node.kind) && 'value' in node ? String(node.value) : null;
}

function toBigNumber(value: unknown, node?: ValueNode): string {
  const isExact = typeof value === 'string' || typeof value === 'bigint' || Number.isSafeInteger(value);
  const text = isExact ? String(value) : '';
  if (/^\d{1,78}$/.test(text) && BigInt(text) < BIG_NUMBER_END) return BigInt(text).toString();
  throw invalid('BigNumber', value, 'a string of decimal digits, 0 to 2^256-1', node);
}

function toLong(value: unknown, node?: ValueNode): number | string {
  const text = typeof value === 'bigint' || typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && /^-?\d{1,20}$/.test(text)) {
    const exact = BigInt(text);
    if (exact >= LONG_MIN && exact <= LONG_MAX) {
      return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact.toString();
    }
  }
  throw invalid('Long', value, 'a whole number of -2^63 to 2^64-1', node);
}

function parseDecimal(value: unknown, node?: ValueNode): string {
  const text = ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : '';
  if (ceilDecimal(text) === null) throw invalid('Decimal', value, 'a non-negative decimal number', node);
  return text;
}

function jsonSafe(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(jsonSafe);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, jsonSafe(each)]));
}

/** @param node the literal as it is written in the document; absent for the value of a variable */
function invalid(scalar: string, value: unknown, allowed: string, node?: ValueNode): GraphQLError {
  const written = node ? shorten(print(node)) : shown(value);
  return new GraphQLError(`${scalar} cannot be ${written}: it is ${allowed}`, {
    nodes: node,
    extensions: { code: 'BAD_USER_INPUT' },
  });
}
