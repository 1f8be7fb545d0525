import { expect, test } from 'vitest';
import type { Filter, Filters } from '../../src/lists/list.js';
import { defineList } from '../../src/lists/read.js';
import { bind, statement } from '../../src/storage/statement.js';

test('a parameter that is misspelt or missing is thrown, and never a silent NULL', () => {
  const named = statement('test_named', 'SELECT :network::network, :txHash');
  expect(bind(named, { network: 'fuji', txHash: null, other: 1 })).toEqual(['fuji', null]);
  expect(() => bind(named, { network: 'fuji', txhash: 'a' })).toThrow('test_named: the parameter txHash');
  expect(() => bind(named, { network: undefined, txHash: 'a' })).toThrow('network has no value');
});

test('two texts under one name are refused', () => {
  statement('test_twice', 'SELECT 1');
  expect(statement('test_twice', 'SELECT 1').text).toBe('SELECT 1');
  expect(() => statement('test_twice', 'SELECT 2')).toThrow('two statements are called test_twice');
});

const order = { name: '', direction: 'asc', columns: ['t.id'], position: () => ['c.id'] } as const;
const cursor = { table: 'transaction', at: () => 'true' };
const list = {
  name: 'test_list',
  values: {},
  from: 't',
  where: () => 'true',
  columns: {},
  order,
  cursor,
  toNode: () => ({}),
};

test('two lists under one name are refused', () => {
  defineList<object, object, never>(list);
  expect(() => defineList<object, object, never>(list)).toThrow('two lists are called test_list');
});

test('a filter is refused whose SQL names a value that the list does not have', () => {
  const since: Filter = { sql: (value) => `t.time >= ${value('since')}` };
  const filtered = { ...list, name: 'test_values', filters: { since } };
  const refused = 'test_values: since sets since, which is not a declared value';
  expect(() => defineList<object, object, 'since'>(filtered)).toThrow(refused);
});

test('a filter is refused that no SQL of the list uses', () => {
  const filters: Filters = { time: { in: 'where' }, exact: { in: 'where' }, until: { in: 'where' } };
  const where = (_: unknown, given: readonly string[]) =>
    given.includes('time') ? `t.time ${given.includes('exact') ? '=' : '>='} 1` : 'true';
  const filtered = { ...list, name: 'test_uses', filters, where };
  expect(() => defineList<object, object, never>(filtered)).toThrow(
    'test_uses: no SQL uses the filter until',
  );
});
