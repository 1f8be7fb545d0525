import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../src/access/key.js';
import { createApp, type TestApp } from '../harness/app.js';
import { anyRequests, ask, freePages } from '../harness/front-door-requests.js';
import { listPath, listQuery, makeKey } from '../harness/keys.js';
import { countStatements } from '../harness/statements.js';
import { poolOf } from '../harness/connections.js';

const settings = {
  RATE_LIMITS: 'on',
  PLANS: JSON.stringify({ fifty: { requests: 50, seconds: 60 }, single: { requests: 1, seconds: 60 } }),
  MAX_BODY_BYTES: '2000',
};
let gateway: TestApp;

beforeAll(async () => {
  gateway = await createApp(settings);
});
afterAll(() => gateway.close());

function limitHeaders(headers: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('ratelimit-')));
}

describe('every reply to a valid key that is known tells how it stands, and no reply to others', () => {
  test.each([...anyRequests, ...freePages])('%s', async (_kind, request, { status, cost }) => {
    const { key } = await makeKey(gateway, 'fifty');
    // A free page waits only a short time for the first look-up of a key; a busy machine may need longer.
    await gateway.services.accessControl.keys.find(key, 'nobody');
    const reply = await gateway.app.inject({
      ...request,
      headers: { ...request.headers, 'x-service-api-key': key },
    });
    expect(reply.statusCode).toBe(status);
    expect(limitHeaders(reply.headers)).toEqual({
      'ratelimit-policy': '50;w=60;name="fifty"',
      'ratelimit-limit': '50',
      'ratelimit-remaining': String(50 - cost),
    });
    const anonymous = await gateway.app.inject(request);
    expect([anonymous.statusCode, limitHeaders(anonymous.headers)]).toEqual([status, {}]);
  });

  test('a fault of ours and a database that is gone', async () => {
    const broken = await createApp(settings);
    const { key } = await makeKey(broken, 'fifty');
    const { key: unseen } = await makeKey(broken, 'fifty');
    const send = (sent: string, request: InjectOptions) =>
      broken.app.inject({ ...request, headers: { ...request.headers, 'x-service-api-key': sent } });
    await send(key, { url: listPath });
    const { storage } = broken;
    storage.read = () => Promise.reject(new Error('secret internals'));
    const fault = await send(key, { url: listPath });
    expect([fault.statusCode, fault.headers['ratelimit-remaining']]).toEqual([500, '48']);
    // Restores the method of its class.
    Reflect.deleteProperty(storage, 'read');
    await poolOf(broken.storage).end();
    for (const [index, request] of [{ url: listPath }, ask(listQuery)].entries()) {
      const { statusCode, headers } = await send(key, request);
      expect([statusCode, headers['ratelimit-remaining']]).toEqual([503, String(47 - index)]);
    }
    // The cached key is now too old to admit it, and its replies still show the state of its limit.
    broken.clock.now += 5000;
    for (const request of [{ url: listPath }, ask(listQuery)]) {
      const { statusCode, headers } = await send(key, request);
      expect([statusCode, headers['ratelimit-remaining']]).toEqual([503, '46']);
      expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
      expect((await send(unseen, request)).statusCode).toBe(503);
    }
    const page = await send(unseen, { url: '/graphql', headers: { accept: 'text/html' } });
    expect(page.statusCode).toBe(200);
    await broken.app.close();
  });

  test('a limit that is reached', async () => {
    const { key } = await makeKey(gateway, 'single');
    const headers = { 'x-service-api-key': key };
    await gateway.app.inject({ url: listPath, headers });
    const refused = await gateway.app.inject({ url: listPath, headers });
    const other = await gateway.app.inject({ url: '/v1/nope', headers });
    const standing = {
      'ratelimit-policy': '1;w=60;name="single"',
      'ratelimit-limit': '1',
      'ratelimit-remaining': '0',
    };
    expect(refused.statusCode).toBe(429);
    expect(limitHeaders(refused.headers)).toEqual({ ...standing, 'ratelimit-reset': '60' });
    expect(limitHeaders(other.headers)).toEqual(standing);
  });
});

describe('a key that cannot be used is a 401 on both doors, before any other work', () => {
  async function badKeys(): Promise<[Record<string, string>, string][]> {
    const good = await makeKey(gateway, 'fifty');
    const other = await makeKey(gateway, 'fifty');
    const revoked = await makeKey(gateway, 'fifty');
    await gateway.services.accessControl.keys.revoke(revoked.record.id);
    const expired = await makeKey(gateway, 'fifty', { expiresAt: new Date(gateway.clock.now) });
    const planless = await makeKey(gateway, 'gone');
    const at = new Date(gateway.clock.now).toISOString();
    const unknown = createKey();
    const wrongEnd = unknown.slice(0, -1) + (unknown.endsWith('0') ? '1' : '0');
    return [
      [{ 'x-service-api-key': unknown }, 'the API key is unknown.'],
      [{ 'x-service-api-key': expired.key }, `the API key expired at ${at}.`],
      [{ 'x-service-api-key': revoked.key }, `the API key was revoked at ${at}.`],
      [
        { 'x-service-api-key': 'abc' },
        'the API key is malformed; a key is mrn_ followed by 36 letters and digits.',
      ],
      [
        { 'x-glacier-api-key': wrongEnd },
        'the checksum of the API key is wrong; it was mistyped or cut off.',
      ],
      [
        { 'x-service-api-key': planless.key },
        'the plan gone of the API key does not exist any more; request a new key.',
      ],
      [
        { 'x-service-api-key': good.key, 'x-glacier-api-key': other.key },
        'two different API keys were sent; send one.',
      ],
    ];
  }

  test('of every kind, whatever else is wrong with the request', async () => {
    const keys = await badKeys();
    for (const [headers, reason] of keys) {
      // The key is looked up once; after that nothing at all is read from the database.
      const message = [...Object.keys(headers)].join(' and ') + `: ${reason}`;
      const first = await gateway.app.inject({ url: listPath, headers });
      expect([first.statusCode, first.json()]).toEqual([
        401,
        { message, error: 'Unauthorized', statusCode: 401 },
      ]);
      const { statements } = await countStatements(async () => {
        for (const [kind, request] of anyRequests) {
          const reply = await gateway.app.inject({ ...request, headers: { ...request.headers, ...headers } });
          expect([kind, reply.statusCode, limitHeaders(reply.headers)]).toEqual([kind, 401, {}]);
        }
        const { statusCode, body } = await gateway.app.inject({
          ...ask(listQuery),
          headers: { 'content-type': 'application/json', ...headers },
        });
        const error = { message, extensions: { code: 'UNAUTHENTICATED' } };
        expect([statusCode, JSON.parse(body)]).toEqual([401, { errors: [error] }]);
      });
      expect(statements).toEqual([]);
    }
  });

  test.each(freePages)('and is ignored by the pages that are for everybody: %s', async (_page, request) => {
    for (const [bad] of await badKeys()) {
      const page = await gateway.app.inject({ ...request, headers: { ...request.headers, ...bad } });
      expect([page.statusCode, limitHeaders(page.headers)]).toEqual([200, {}]);
    }
  });

  test('an empty header is no key', async () => {
    const reply = await gateway.app.inject({
      url: listPath,
      headers: { 'x-service-api-key': '', cookie: '' },
    });
    expect([reply.statusCode, limitHeaders(reply.headers)]).toEqual([200, {}]);
  });

  test('a key that is revoked elsewhere is refused within five seconds', async () => {
    const { key, record } = await makeKey(gateway, 'fifty');
    const send = async () =>
      (await gateway.app.inject({ url: listPath, headers: { 'x-service-api-key': key } })).statusCode;
    expect(await send()).toBe(200);
    await poolOf(gateway.storage).query('UPDATE api_key SET revoked_at = now() WHERE id = $1', [record.id]);
    gateway.clock.now += 5000;
    expect(await send()).toBe(401);
  });
});
