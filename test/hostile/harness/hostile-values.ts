import type { Random } from './random.js';

/** Texts in place of any value. None of them is a word that only our inside would say: see oracle.ts. */
const texts = [
  '', ' ', '\t', '0', '-0', '-1', '1', '00', '007', '1.5', '.5', '5.', '1e2', '1e+21', '1E400', '-1e400', '0x10', '1_000',
  '١٢', '１２', '²', 'NaN', 'Infinity', '-Infinity', 'null', 'undefined', 'true', 'false', 'TRUE', '[]', '{}', '[object Object]',
  '2147483647', '2147483648', '-2147483649', '4294967296', '9007199254740991', '9007199254740993', '9223372036854775807',
  '9223372036854775808', '18446744073709551615', '18446744073709551616',
  '115792089237316195423570985008687907853269984665640564039457584007913129639935',
  '115792089237316195423570985008687907853269984665640564039457584007913129639936', '1' + '0'.repeat(400),
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'then',
  "' OR 1=1--", '"; --', "'; x --", '%', '%%', '%00', '\0', 'a\0b', '\u0001', '\u007f', '\r\n', '\n', '\u2028', '\ufeff', '\ufffd',
  '../../x', '..', '.', '/', '//', '\\', '..\\..', '%2e%2e', '${1}', '{{1}}', '<b>x</b>', '`', '|', '&', '#', '?', ';', ',', ',,', ', ,',
  '😀', '\u202e', 'é', 'e\u0301', 'ﬀ', 'İ', 'ß', '\u{10ffff}', '\ud800', 'a'.repeat(80), 'a'.repeat(501),
  'mainnet', 'fuji', 'testnet', 'FUJI', 'p-chain', 'x-chain', 'c-chain', 'P-chain', '11111111111111111111111111111111LpoYY',
  '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM', '43113', '43114', '0x', '0x0', '0x' + '0'.repeat(40), '0x' + 'F'.repeat(40),
  '0x' + 'g'.repeat(40), '0'.repeat(64), 'z'.repeat(64), '1'.repeat(50), 'avax1', 'fuji1', 'P-fuji1', 'fuji1qqqq', 'timestamp', 'amount',
  'asc', 'desc', 'ASC', '00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff', '2026-10-01', '9999999999999',
]; // prettier-ignore

const alphabets = [
  '0123456789', '0123456789abcdef', '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 'qpzry9x8gf2tvdw0s3jn54khce6mua7l',
  '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '\0\u0001\u0007\t\n\r\u001b\u007f', 'äöü€漢字😀',
]; // prettier-ignore

/** A text that no parameter has to take. */
export function hostileText(random: Random): string {
  if (random.chance(0.75)) return random.pick(texts);
  return random.text(random.pick(alphabets), random.pick([1, 5, 36, 49, 50, 51, 64, 66, 100, 300]));
}

/** A value like `value`, but for one change. */
export function nearly(random: Random, value: string): string {
  const at = random.whole(0, value.length);
  const other = random.text('0aA1zZ-_ %+.,:', 1);
  return random.pick([
    value.slice(0, at) + other + value.slice(at),
    value.slice(0, at) + value.slice(at + 1),
    value.slice(0, at) + other + value.slice(at + 1),
    value + value,
    value.toUpperCase(),
    value.toLowerCase(),
    ` ${value} `,
    `${value}\0`,
    value.slice(0, at),
    `0x${value}`,
    [...value].reverse().join(''),
  ]);
}

/** A JSON value of any type. */
export function hostileJson(random: Random, depth = 3): unknown {
  const leaf = () =>
    random.pick<unknown>([
      null,
      true,
      false,
      0,
      -1,
      1.5,
      1e21,
      2 ** 53,
      hostileText(random),
      hostileText(random),
      hostileText(random),
    ]);
  if (depth === 0 || random.chance(0.5)) return leaf();
  const length = random.whole(0, 4);
  if (random.chance(0.5)) return Array.from({ length }, () => hostileJson(random, depth - 1));
  return Object.fromEntries(
    Array.from({ length }, () => [
      random.pick(['id', 'type', '', 'a']) + hostileText(random).slice(0, 20),
      hostileJson(random, depth - 1),
    ]),
  );
}

/** Arrays or objects, one within the other. */
export function deepJson(random: Random): string {
  const depth = random.pick([10, 100, 1000, 5000, 50_000, 120_000]);
  return random.chance(0.5)
    ? '['.repeat(depth) + ']'.repeat(depth)
    : '{"a":'.repeat(depth / 2) + '1' + '}'.repeat(depth / 2);
}

/** A name of 2,000 characters or more, which no answer may repeat whole. */
export function longName(random: Random, most = 200_000): string {
  const length = random.pick([2000, 4000, 8000, 15_000, 60_000, 200_000].filter((each) => each <= most));
  return `L${random.text('abcdefghijklmnopqrstuvwxyz', 8)}`.repeat(Math.ceil(length / 9)).slice(0, length);
}
