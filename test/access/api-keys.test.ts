import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authenticate, type Caller, requireRight } from '../../src/access/authenticate.js';
import { createKey } from '../../src/access/key.js';
import type { KeyStore, NewApiKey } from '../../src/access/key-store.js';
import { resolvePlans } from '../../src/access/plans.js';
import { poolOf } from '../harness/connections.js';
import { createKeyDatabase, makeIn, type KeyDatabase } from '../harness/key-database.js';

const plans = resolvePlans({ base: null, reader: { requests: 5, seconds: 1, rights: [] } });
let database: KeyDatabase;
let keys: KeyStore;

beforeAll(async () => {
  database = await createKeyDatabase();
});

beforeEach(() => {
  keys = database.open();
});

afterAll(() => database.close());

const make = (input?: Partial<NewApiKey>) => makeIn(keys, input);

function callerOf(headers: Record<string, string | string[]>): Promise<Caller> {
  return authenticate(headers, 'ip:203.0.113.9', {
    plans,
    now: database.now,
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
    const { key: expired } = await make({ expiresAt: new Date(database.clock.now) });
    const { key: planless } = await make({ plan: 'base' });
    const cases: [string, string][] = [
      ['secret-of-mine', 'the API key is malformed; a key is mrn_ followed by 36 letters and digits.'],
      [wrongDigit, 'the checksum of the API key is wrong; it was mistyped or cut off.'],
      [key, 'the API key is unknown.'],
      [revokedKey, 'the API key was revoked at 2026-11-20T12:00:00.000Z.'],
      [expired, 'the API key expired at 2026-11-20T12:00:00.000Z.'],
      [planless, 'the plan base of the API key does not exist any more; request a new key.'],
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

test('the text of a key is neither in the database nor in the log', async () => {
  const { key, record } = await make({ name: 'of the test' });
  await callerOf({ 'x-service-api-key': key });
  const { rows } = await poolOf(database.storage).query<{ row: string }>(
    'SELECT k::text AS row FROM api_key k',
  );
  const everything = JSON.stringify([rows, await keys.list(), database.captured.text()]);
  expect(everything).toContain('of the test');
  const hex = Buffer.from(key).toString('hex');
  for (const secret of [key, key.slice(4, 34), hex]) expect(everything).not.toContain(secret);
  expect(Object.keys(record)).not.toContain('hash');
});
