import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '../../src/access/key.js';
import type { KeyStore } from '../../src/access/key-store.js';
import { poolOf } from '../harness/connections.js';
import { createKeyDatabase, makeIn, type KeyDatabase } from '../harness/key-database.js';
import { countStatements } from '../harness/statements.js';

let database: KeyDatabase;
let keys: KeyStore;

beforeAll(async () => {
  database = await createKeyDatabase();
});

beforeEach(() => {
  keys = database.open();
});

afterAll(() => database.close());

const make = () => makeIn(keys);

describe('running processes', () => {
  test('notice a revocation by another process within five seconds, and ask the database once until then', async () => {
    const { key, record } = await make();
    const elsewhere = database.open();
    const { statements } = await countStatements(async () => {
      const found = await Promise.all(Array.from({ length: 50 }, () => keys.find(key)));
      expect(new Set(found.map((each) => each?.id))).toEqual(new Set([record.id]));
      database.clock.now += 3999;
      expect(await keys.find(key)).toMatchObject({ revokedAt: null });
    });
    expect(statements).toHaveLength(1);
    expect(await elsewhere.revoke(record.id)).toBe(true);
    database.clock.now += 1000;
    expect((await keys.find(key))?.revokedAt).toBeInstanceOf(Date);
  });

  test('ask the database once for many requests with the same unknown key', async () => {
    const unknown = createKey();
    expect(await keys.find(unknown)).toBeUndefined();
    const { statements } = await countStatements(async () => {
      expect(await keys.find(unknown)).toBeUndefined();
    });
    expect(statements).toEqual([]);
  });

  test('do not remember a failed read', async () => {
    const { key, record } = await make();
    const renamed = 'ALTER TABLE api_key RENAME TO ';
    await poolOf(database.storage).query(`${renamed} api_key_away`);
    const failed = keys.find(key);
    await expect(failed).rejects.toThrow();
    await poolOf(database.storage).query('ALTER TABLE api_key_away RENAME TO api_key');
    expect((await keys.find(key))?.id).toBe(record.id);
  });

  test('write the last use of all keys in one statement, and never an earlier over a later one', async () => {
    const made = await Promise.all([make(), make(), make()]);
    const [a, b, c] = made.map(({ record }) => record.id) as [number, number, number];
    const elsewhere = database.open();
    const early = database.clock.now;
    for (let index = 0; index < 100; index += 1) for (const id of [a, b]) keys.noteUse(id);
    database.clock.now += 1000;
    elsewhere.noteUse(b);
    await elsewhere.close();
    const { statements } = await countStatements(() => keys.close());
    expect(statements).toHaveLength(1);
    const times = new Map((await keys.list()).map(({ id, lastUsedAt }) => [id, lastUsedAt?.getTime()]));
    expect([a, b, c].map((id) => times.get(id))).toEqual([early, early + 1000, undefined]);
  });

  test('keep the last use for later when it cannot be written', async () => {
    const { record } = await make();
    keys.noteUse(record.id);
    await poolOf(database.storage).query('ALTER TABLE api_key RENAME TO api_key_away');
    await keys.close();
    await poolOf(database.storage).query('ALTER TABLE api_key_away RENAME TO api_key');
    expect(database.captured.lines.at(-1)?.msg).toContain('could not be stored');
    await keys.close();
    expect((await keys.list()).find(({ id }) => id === record.id)?.lastUsedAt?.getTime()).toBe(
      database.clock.now,
    );
  });
});

test('a key is revoked once', async () => {
  const { record } = await make();
  expect(await keys.revoke(record.id)).toBe(true);
  expect(await keys.revoke(record.id)).toBe(false);
  expect(await keys.revoke(2_000_000)).toBe(false);
});
