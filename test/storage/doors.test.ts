import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsAround } from '../../src/storage/around.js';
import { bind, statement } from '../../src/storage/statement.js';
import { createApp, type TestApp } from '../harness/app.js';
import { isListed, listedUnder } from '../harness/doors.js';
import { countStatements } from '../harness/statements.js';

const root = resolve(import.meta.dirname, '../../src');
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('generated'))
  .map((file) => readFileSync(join(root, file), 'utf8'));

let gateway: TestApp;

beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());

test('the decision record lists every call of a model that the sources have, and no other', () => {
  const models = Object.keys(gateway.storage.prisma).filter((name) => /^[a-z]/.test(name));
  const known = new Set([...models, ...listedUnder('model').map((call) => call.split('.')[0] ?? '')]);
  const operations = '(?:find|create|update|delete|upsert|count|aggregate|groupBy)\\w*';
  const call = new RegExp(`\\b(\\w+)\\s*\\.(${operations})\\(`, 'g');
  const calls = sources
    .flatMap((text) => [...text.matchAll(call)])
    .filter(([, model = '']) => known.has(model))
    .map(([, model, operation]) => `${model}.${operation}`);
  expect([...new Set(calls)].sort()).toEqual(listedUnder('model').sort());
});

test('the decision record lists every statement that the sources name', () => {
  const names = (pattern: RegExp) =>
    sources.flatMap((text) => [...text.matchAll(pattern)]).map(([, name = '']) => name);
  // A list makes the names of its statements from its own.
  const lists = names(/\bdefineList<[^(]+>\(\{\s*name: '([a-z_]+)'/g).map((name) => `${name}_`);
  const others = names(/(?:\bstatement\(|\bdefineFind<[^(]+>\(|const name =)\s*['`]([a-z_]+)/g);
  const named = [...lists, ...others.filter((name) => name.includes('_'))];
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !isListed(name))).toEqual([]);
});

test('a statement of a list and a call of a model go through the doors that the record names', async () => {
  const called: string[] = [];
  const watched = callsAround(gateway.storage.prisma, (name, work) => {
    called.push(name);
    return work(gateway.storage.prisma);
  });
  await watched.chain.count();
  await watched.$transaction((transaction) => transaction.asset.findMany());
  expect(called).toEqual(['chain.count', '$transaction']);
  const { names } = await countStatements(() => gateway.get('/v1/chains'));
  expect(names).toHaveLength(1);
  expect(names.filter((name) => !isListed(name))).toEqual([]);
});

test('a hot read inside of a transaction is refused, as it would run outside of it', async () => {
  const one = statement('doors_one', 'SELECT :one::int AS one');
  const values = bind(one, { one: 1 });
  expect(await gateway.storage.prisma.read(one, values)).toEqual([{ one: 1 }]);
  const inside = gateway.storage.prisma.$transaction((transaction) => transaction.read(one, values));
  await expect(inside).rejects.toThrow('outside of the transaction');
});
