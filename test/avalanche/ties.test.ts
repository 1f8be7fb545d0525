import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeCb58 } from '../../src/avalanche/cb58.js';
import { tieOf } from '../../src/avalanche/tie.js';

test('property: the tie of ids sorts as their first ten characters do, and fits 63 bits', () => {
  const ids = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => encodeCb58(bytes));
  fc.assert(
    fc.property(ids, ids, (a, b) => {
      const [left, right] = [a.slice(0, 10), b.slice(0, 10)];
      expect(tieOf(a) < tieOf(b)).toBe(left < right);
      expect(tieOf(a) === tieOf(b)).toBe(left === right);
      expect(tieOf(a)).toBeLessThan(2n ** 63n);
    }),
  );
  expect(tieOf('zzzzzzzzzzz')).toBe(58n ** 10n - 1n);
  expect(() => tieOf('0OIl')).toThrow(RangeError);
});
