import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BEYOND_RANGE, ceilDecimal, wholeDecimal } from '../../src/numbers.js';

describe('a decimal parameter', () => {
  test.each([
    ['0', 0n],
    ['1e+21', 10n ** 21n],
    ['1E21', 10n ** 21n],
    ['0.5', 1n],
    ['1.0', 1n],
    ['5e-1', 1n],
    ['1.5e1', 15n],
    ['18446744073709551615', 2n ** 64n - 1n],
    ['18446744073709551615.000001', 2n ** 64n],
    ['1e-9999', 1n],
    ['0e9999', 0n],
    ['1e9999', BEYOND_RANGE],
    ['9'.repeat(300), BEYOND_RANGE],
    ['-1', null],
    ['abc', null],
    ['', null],
    ['1e', null],
    ['0x10', null],
    ['Infinity', null],
    [`1e${'9'.repeat(500)}`, BEYOND_RANGE],
    [`1e-${'9'.repeat(500)}`, 1n],
    [`0e${'9'.repeat(500)}`, 0n],
    [`${'0'.repeat(500)}1`, 1n],
    [`0.${'0'.repeat(500)}1`, 1n],
    [`1.${'0'.repeat(500)}`, 1n],
  ])('%s is compared as %s', (text, expected) => {
    expect(ceilDecimal(text)).toBe(expected);
  });

  test('is read exactly, whatever form a client prints it in', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat(20), (value, shift) => {
        const digits = value.toString().padStart(shift + 1, '0');
        const text = `${digits.slice(0, digits.length - shift)}.${digits.slice(digits.length - shift)}e${shift}`;
        expect(ceilDecimal(text)).toBe(value);
        expect(wholeDecimal(text)).toBe(value);
      }),
    );
  });

  test('agrees with JavaScript wherever JavaScript is exact', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 2 ** 53, noNaN: true }), (value) => {
        expect(ceilDecimal(String(value))).toBe(BigInt(Math.ceil(value)));
        expect(wholeDecimal(String(value))).toBe(Number.isInteger(value) ? BigInt(value) : null);
      }),
    );
  });
});
