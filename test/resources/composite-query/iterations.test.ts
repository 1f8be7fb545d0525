import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { Iterations } from '../../../src/resources/composite-query/iterations.js';

function heap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

test('iterations over 1,500 queries of 50 kB take less than 16 MiB, and the latest thousand are there', () => {
  const iterations = new Iterations();
  const query = (number: number) => `${number} ${'x'.repeat(50_000)}`.split('').reverse().join('');
  const before = heap();
  for (let number = 0; number < 1500; number += 1)
    for (let version = 0; version < (number % 100 === 0 ? 20 : 1); version += 1)
      iterations.remember(query(number), [`${version}`]);
  expect(heap() - before).toBeLessThan(16 * 2 ** 20);
  expect(iterations.of(query(1499))).toEqual([['0']]);
  expect(iterations.of(query(1400))).toHaveLength(16);
  expect(iterations.of(query(499))).toEqual([]);
});
