import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeCb58 } from '../../src/avalanche/cb58.js';
import { sortKeyOf } from '../../src/avalanche/sort-key.js';

test('property: the sort key of ids sorts as their first ten characters do, and fits 63 bits', () => {
  const ids = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => encodeCb58(bytes));
  fc.assert(
    fc.property(ids, ids, (a, b) => {
      const [left, right] = [a.slice(0, 10), b.slice(0, 10)];
      expect(sortKeyOf(a) < sortKeyOf(b)).toBe(left < right);
      expect(sortKeyOf(a) === sortKeyOf(b)).toBe(left === right);
      expect(sortKeyOf(a)).toBeLessThan(2n ** 63n);
    }),
  );
  expect(sortKeyOf('zzzzzzzzzzz')).toBe(58n ** 10n - 1n);
  expect(() => sortKeyOf('0OIl')).toThrow(RangeError);
});
