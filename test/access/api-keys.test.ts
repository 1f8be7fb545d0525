import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pino } from 'pino';
import { authenticate, type Caller, requireRight } from '../../src/access/authenticate.js';
import { createKey } from '../../src/access/key.js';
import { createKeyStore, type KeyStore, type NewApiKey } from '../../src/access/key-store.js';
import { resolvePlans } from '../../src/access/plans.js';
import { loadConfig } from '../../src/config.js';
import { openStorage, type Storage } from '../../src/storage/open.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { captureLog } from '../harness/log.js';
import { countStatements } from '../harness/statements.js';
import { poolOf } from '../harness/connections.js';

const captured = captureLog();
const plans = resolvePlans({ base: null, reader: { requests: 5, seconds: 1, rights: [] } });
const clock = { now: Date.parse('2026-11-20T12:00:00Z') };
const now = () => clock.now;
let database: TestDatabase;
let storage: Storage;
let keys: KeyStore;

beforeAll(async () => {
  database = await createDatabase();
  storage = await openStorage(loadConfig({ DATABASE_URL: database.url }), pino({ level: 'silent' }));
});

beforeEach(() => {
  keys = createKeyStore(storage.prisma, { log: captured.log, now });
});

afterAll(async () => {
  await storage.close();
  await database.drop();
});

function make(input: Partial<NewApiKey> = {}) {
  return keys.create({ name: 'test', plan: 'free', rights: null, expiresAt: null, ...input });
}

function callerOf(headers: Record<string, string | string[]>): Promise<Caller> {
  return authenticate(headers, 'ip:203.0.113.9', {
    ...{ plans, now },
    keyHeaders: ['x-service-api-key', 'x-glacier-api-key'],
    findKey: (key) => keys.find(key),
  });
}

async function refusalOf(headers: Record<string, string | string[]>) {
  const caller = await callerOf(headers);
  if (caller.kind !== 'rejected') throw new Error(`not rejected but ${caller.kind}`);
  expect(caller.plan).toBe(plans.anonymous);
  return { status: caller.error.status, message: caller.error.message };
}

describe('a request without a usable key', () => {
  test('is anonymous when the headers are missing or empty', async () => {
    for (const headers of [
      {},
      { 'x-service-api-key': '' },
      { 'x-glacier-api-key': ' ', 'x-service-api-key': ' , ' },
    ])
      expect(await callerOf(headers as Record<string, string>)).toEqual({
        kind: 'anonymous',
        identity: 'ip:203.0.113.9',
        plan: plans.anonymous,
        rights: ['reindex'],
      });
  });

  test('is refused with 401 and the reason, never with the key', async () => {
    const key = createKey();
    const wrongDigit = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    const { record: revoked, key: revokedKey } = await make();
    await keys.revoke(revoked.id);
    const { key: expired } = await make({ expiresAt: new Date(clock.now) });
    const { key: planless } = await make({ plan: 'base' });
    const cases: [string, string][] = [
      ['secret-of-mine', 'the API key is malformed; a key is mrn_ followed by 36 letters and digits.'],
      [wrongDigit, 'the checksum of the API key is wrong; it was mistyped or cut off.'],
      [key, 'the API key is unknown.'],
      [revokedKey, 'the API key was revoked at 2026-11-20T12:00:00.000Z.'],
      [expired, 'the API key expired at 2026-11-20T12:00:00.000Z.'],
      [planless, 'the plan base of the API key does not exist any more; ask for a new key.'],
    ];
    for (const [text, reason] of cases) {
      expect(await refusalOf({ 'x-glacier-api-key': text })).toEqual({
        status: 401,
        message: `x-glacier-api-key: ${reason}`,
      });
    }
  });

  test('is refused with 401 when two different keys are sent, in two headers or in one', async () => {
    const { key: first } = await make();
    const { key: second } = await make();
    expect(await refusalOf({ 'x-service-api-key': first, 'x-glacier-api-key': second })).toEqual({
      status: 401,
      message: 'x-service-api-key and x-glacier-api-key: two different API keys were sent; send one.',
    });
    expect(await refusalOf({ 'x-service-api-key': `${first}, ${second}` })).toEqual({
      status: 401,
      message: 'x-service-api-key: two different API keys were sent; send one.',
    });
  });
});

describe('a request with a key', () => {
  test('is counted by the key on its plan, from either header, or the same in both', async () => {
    const { key, record } = await make({ plan: 'pro' });
    const expected = { kind: 'key', identity: `key:${record.id}`, plan: plans.find('pro'), keyId: record.id };
    for (const headers of [
      { 'x-service-api-key': key },
      { 'x-glacier-api-key': `  ${key} ` },
      { 'x-service-api-key': key, 'x-glacier-api-key': key },
      { 'x-service-api-key': [key, key] },
    ] as Record<string, string | string[]>[])
      expect(await callerOf(headers)).toEqual({ ...expected, rights: ['reindex'] });
  });

  test('may do what both its plan and the key itself allow', async () => {
    const cases: [Partial<NewApiKey>, string[]][] = [
      [{ rights: null }, ['reindex']],
      [{ rights: ['reindex'] }, ['reindex']],
      [{ rights: [] }, []],
      [{ plan: 'reader', rights: ['reindex'] }, []],
    ];
    for (const [input, rights] of cases) {
      const { key, record } = await make(input);
      expect(record.rights).toEqual(input.rights ?? null);
      const caller = await callerOf({ 'x-service-api-key': key });
      expect(caller.rights).toEqual(rights);
      if (rights.length > 0)
        expect(() => requireRight(caller, 'reindex', { keyRequired: true })).not.toThrow();
      else expect(() => requireRight(caller, 'reindex')).toThrow(expect.objectContaining({ status: 403 }));
    }
  });

  test('an anonymous caller needs a key where one is required', async () => {
    const anonymous = await callerOf({});
    expect(() => requireRight(anonymous, 'reindex')).not.toThrow();
    expect(() => requireRight(anonymous, 'reindex', { keyRequired: true })).toThrow(
      expect.objectContaining({ status: 401 }),
    );
  });
});

describe('running processes', () => {
  test('notice a revocation by another process within five seconds, and ask the database once until then', async () => {
    const { key, record } = await make();
    const elsewhere = createKeyStore(storage.prisma, { log: captured.log, now });
    const { statements } = await countStatements(async () => {
      const found = await Promise.all(Array.from({ length: 50 }, () => keys.find(key)));
      expect(new Set(found.map((each) => each?.id))).toEqual(new Set([record.id]));
      clock.now += 3999;
      expect(await keys.find(key)).toMatchObject({ revokedAt: null });
    });
    expect(statements).toHaveLength(1);
    expect(await elsewhere.revoke(record.id)).toBe(true);
    clock.now += 1000;
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
    await poolOf(storage).query(`${renamed} api_key_away`);
    const failed = keys.find(key);
    await expect(failed).rejects.toThrow();
    await poolOf(storage).query('ALTER TABLE api_key_away RENAME TO api_key');
    expect((await keys.find(key))?.id).toBe(record.id);
  });

  test('write the last use of all keys in one statement, and never an earlier over a later one', async () => {
    const made = await Promise.all([make(), make(), make()]);
    const [a, b, c] = made.map(({ record }) => record.id) as [number, number, number];
    const elsewhere = createKeyStore(storage.prisma, { log: captured.log, now });
    const early = clock.now;
    for (let index = 0; index < 100; index += 1) for (const id of [a, b]) keys.noteUse(id);
    clock.now += 1000;
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
    await poolOf(storage).query('ALTER TABLE api_key RENAME TO api_key_away');
    await keys.close();
    await poolOf(storage).query('ALTER TABLE api_key_away RENAME TO api_key');
    expect(captured.lines.at(-1)?.msg).toContain('could not be written');
    await keys.close();
    expect((await keys.list()).find(({ id }) => id === record.id)?.lastUsedAt?.getTime()).toBe(clock.now);
  });
});

test('a key is revoked once', async () => {
  const { record } = await make();
  expect(await keys.revoke(record.id)).toBe(true);
  expect(await keys.revoke(record.id)).toBe(false);
  expect(await keys.revoke(2_000_000)).toBe(false);
});

test('the text of a key is neither in the database nor in the log', async () => {
  const { key, record } = await make({ name: 'of the test' });
  await callerOf({ 'x-service-api-key': key });
  const { rows } = await poolOf(storage).query<{ row: string }>('SELECT k::text AS row FROM api_key k');
  const everything = JSON.stringify([rows, await keys.list(), captured.text()]);
  expect(everything).toContain('of the test');
  const hex = Buffer.from(key).toString('hex');
  for (const secret of [key, key.slice(4, 34), hex]) expect(everything).not.toContain(secret);
  expect(Object.keys(record)).not.toContain('hash');
});
