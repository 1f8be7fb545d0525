import { expect, test } from 'vitest';
import { StatementMemory } from '../../src/lists/statement-memory.js';

test('statements of lists keep to their characters; those used last are there, the others are made again', () => {
  const memory = new StatementMemory(100_000);
  let made = 0;
  const of = (shape: number) =>
    memory.of(`list_${shape}`, () => {
      made += 1;
      return `SELECT :limit -- ${shape} `.padEnd(8000, '.');
    });
  for (let shape = 0; shape < 1000; shape += 1) {
    of(shape);
    of(0);
  }
  expect(memory.characters).toBeLessThanOrEqual(100_000);
  expect(made).toBe(1000);
  expect(of(999)).toMatchObject({ name: 'list_999', parameters: ['limit'] });
  expect(made).toBe(1000);
  of(1);
  expect(made).toBe(1001);
});
