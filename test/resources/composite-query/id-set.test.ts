import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdSet } from '../../../src/resources/composite-query/id-set.js';
import { SetCache } from '../../../src/resources/composite-query/set-cache.js';

// Dense and sparse ids, so that both inner forms and their mixtures occur.
const ids = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 150 }),
  fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 40 }),
);
const setOf = (items: readonly number[]) => IdSet.of(Uint32Array.from(items));
const sorted = (items: Iterable<number>) => [...new Set(items)].sort((a, b) => a - b);
const all = (set: IdSet) => set.slice(Infinity, null, null);

test('sets, their intersections and unions agree with plain sets of numbers', () => {
  fc.assert(
    fc.property(fc.array(ids, { minLength: 1, maxLength: 5 }), ids, (lists, removed) => {
      const sets = lists.map(setOf);
      const plain = lists.map((list) => new Set(list));
      sets.forEach((set, index) => {
        expect(all(set)).toEqual(sorted(lists[index] ?? []));
        expect(set.size).toBe(plain[index]?.size);
      });
      const any = sorted(lists.flat());
      expect(all(IdSet.or(sets))).toEqual(any);
      const both = any.filter((id) => plain.every((set) => set.has(id)));
      expect(all(IdSet.and(sets))).toEqual(both);
      expect(IdSet.and(sets).size).toBe(both.length);
      const [first = []] = lists;
      const kept = sorted(first).filter((id) => !removed.includes(id));
      expect(all(IdSet.of(Uint32Array.from(first), Uint32Array.from(removed)))).toEqual(kept);
    }),
    { numRuns: 500 },
  );
});

test('a slice is what lies between two ids, from either end', () => {
  const bound = fc.option(fc.integer({ min: 1, max: 300 }));
  fc.assert(
    fc.property(ids, bound, bound, fc.integer({ min: 1, max: 50 }), (list, after, before, limit) => {
      const inside = sorted(list).filter((id) => id > (after ?? 0) && id < (before ?? Infinity));
      const set = setOf(list);
      expect(set.slice(limit, after, before)).toEqual(inside.slice(0, limit));
      expect(set.slice(limit, after, before, true)).toEqual(inside.slice(-limit));
    }),
    { numRuns: 500 },
  );
});

test('a set takes at most 4 bytes an id, and at most a bit for each id up to its largest', () => {
  const scattered = setOf([1, 2_000_000_000]);
  expect(scattered.bytes).toBe(8);
  const crowded = setOf(Array.from({ length: 100_000 }, (_, index) => index + 1));
  expect(crowded.bytes).toBeLessThanOrEqual(100_000 / 8 + 8);
});

test('the cache stays within its bytes and lets go of what was not used for longest', () => {
  const set = setOf(Array.from({ length: 1000 }, (_, index) => index * 1000 + 1));
  const cache = new SetCache(3 * (set.bytes + 500));
  for (const key of ['a', 'b', 'c']) cache.set(key, set);
  expect(cache.get('a')).toBe(set);
  cache.set('d', set);
  expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key))).toEqual(['a', 'c', 'd']);
  expect(cache.bytes).toBeLessThanOrEqual(3 * (set.bytes + 500));
  cache.set('huge', setOf(Array.from({ length: 1_000_000 }, (_, index) => index + 1)));
  expect(cache.get('huge')).toBeUndefined();
  expect(cache.get('d')).toBe(set);
});
