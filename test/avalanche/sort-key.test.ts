import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeCb58 } from '../../src/avalanche/cb58.js';
import { lacksPosition, sortKeyAt, sortKeyOf, type ChainPosition } from '../../src/avalanche/sort-key.js';

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

/** As a slow model: what is compared first comes first, and what is larger is listed before. */
const order = ({ blockNumber, position }: ChainPosition, id: string) => [
  BigInt(blockNumber ?? -1),
  position === null && blockNumber !== null ? 1n : 0n,
  BigInt(blockNumber === null ? 0 : (position ?? 0)),
  sortKeyOf(id) >> (blockNumber === null ? 0n : position === null ? 30n : 46n),
];

test('property: transactions of one time sort by their block, then by their position, and by their hash where these are unknown', () => {
  const ids = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => encodeCb58(bytes));
  const numbers = fc.option(fc.constantFrom('0', '1', '1890', '1891', '4294967294', '4294967295'));
  const positions = fc.option(fc.constantFrom(0, 1, 65_535));
  const positioned = fc.record({ blockNumber: numbers, position: positions });
  fc.assert(
    fc.property(positioned, ids, positioned, ids, (a, one, b, other) => {
      const [left, right] = [order(a, one), order(b, other)];
      const differing = left.findIndex((each, index) => each !== right[index]);
      const isLess = differing >= 0 && left[differing]! < right[differing]!;
      expect(sortKeyAt(a, one) < sortKeyAt(b, other)).toBe(isLess);
      expect(sortKeyAt(a, one)).toBeLessThan(2n ** 63n);
      expect(lacksPosition(sortKeyAt(a, one))).toBe(a.blockNumber === null || a.position === null);
    }),
    { numRuns: 1000 },
  );
});
