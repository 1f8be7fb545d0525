import { expect, test } from 'vitest';
import { BoundedMap } from '../../src/access/bounded-map.js';
import { MemoryCallLog } from '../../src/access/call-log.js';

test('a map of weights holds no more than its capacity, and an entry until half of it came after', () => {
  const map = new BoundedMap<number>(100, (weight) => weight);
  const held = () => keys.filter((key) => map.get(key) !== undefined);
  const keys: string[] = [];
  const put = (key: string, weight: number) => {
    keys.push(key);
    map.set(key, weight);
  };
  put('a', 30);
  put('b', 20);
  put('c', 40);
  expect([map.get('c'), map.get('b')]).toEqual([40, 20]);
  put('d', 50);
  put('e', 50);
  expect(held().reduce((sum, key) => sum + (map.get(key) ?? 0), 0)).toBeLessThanOrEqual(100);
  expect(held()).toContain('e');
});

test('an entry that grows counts once', () => {
  const map = new BoundedMap<number>(100, (weight) => weight);
  map.set('small', 1);
  for (let weight = 1; weight <= 49; weight += 1) map.set('grows', weight);
  expect(map.get('small')).toBe(1);
  map.delete('grows');
  map.set('other', 49);
  expect(map.get('small')).toBe(1);
});

test('calls of ten thousand for each of ten thousand callers, 800 MB, take 46 MiB', () => {
  const log = new MemoryCallLog({ calls: 10_000, seconds: 3600 });
  let held = 0;
  const begin = 1_790_000_000_000;
  for (let caller = 0; caller < 2000; caller += 1) log.append(`192.0.2.${caller}`, 10_000, begin);
  // A look does not put calls down.
  for (let caller = 0; caller < 2000; caller += 1) held += log.append(`192.0.2.${caller}`, 0, begin).length;
  expect(8 * held).toBeLessThanOrEqual(46 * 2 ** 20);
  expect(log.append('192.0.2.1999', 0, begin)).toHaveLength(10_000);
});
