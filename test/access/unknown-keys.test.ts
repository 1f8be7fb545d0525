import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, hashKey } from '../../src/access/key.js';
import { createApp, type TestApp } from '../harness/app.js';
import { listPath, makeKey } from '../harness/keys.js';
import { countStatements } from '../harness/statements.js';
import { holdConnection, poolOf } from '../harness/connections.js';

const LIMIT = 20;
let gateway: TestApp;

beforeAll(async () => {
  gateway = await createApp({
    RATE_LIMITS: 'on',
    PLANS: JSON.stringify({ anonymous: { requests: LIMIT, seconds: 60 } }),
  });
});

afterAll(() => gateway.close());

async function send(remoteAddress: string, key?: string) {
  const headers = key === undefined ? {} : { 'x-service-api-key': key };
  return (await gateway.app.inject({ url: listPath, remoteAddress, headers })).statusCode;
}

test('invented keys are charged to their address, and over its limit ask the database nothing', async () => {
  const { result, statements } = await countStatements(async () => {
    const statuses = [];
    for (let index = 0; index < 3 * LIMIT; index += 1) statuses.push(await send('192.0.2.1', createKey()));
    return statuses;
  });
  const count = (status: number) => result.filter((each) => each === status).length;
  expect([count(401), count(429)]).toEqual([LIMIT, 2 * LIMIT]);
  expect(statements).toHaveLength(LIMIT);
  expect(await send('192.0.2.1')).toBe(429);
  expect(await send('192.0.2.2')).toBe(200);
});

test('many of them at once take two connections at most, and those of one address one', async () => {
  const client = await holdConnection(gateway.storage);
  await client.query('BEGIN');
  await client.query('LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE');
  const waiting = [];
  for (const last of [1, 2, 3, 1, 2, 3]) {
    waiting.push(send(`198.51.100.${last}`, createKey()));
    // Prisma reads what is asked for in one turn of the event loop in one statement.
    await sleep(20);
  }
  await sleep(500);
  const { rows } = await poolOf(gateway.storage).query<{ busy: number }>(
    `SELECT count(*)::int AS busy FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
  );
  await client.query('ROLLBACK');
  client.release();
  expect(rows[0]?.busy).toBe(2);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([401]));
});

test.each([
  ['malformed', 'secret'],
  ['mistyped', `mrn_${'0'.repeat(36)}`],
])('a key that is %s costs its address 1', async (kind, key) => {
  const address = kind === 'malformed' ? '192.0.2.3' : '192.0.2.4';
  const statuses = [];
  for (let index = 0; index < LIMIT + 1; index += 1) statuses.push(await send(address, key));
  expect(statuses).toEqual([...Array.from({ length: LIMIT }, () => 401), 429]);
});

test('who has used up the limit of its address may go on with a key', async () => {
  for (let index = 0; index < LIMIT; index += 1) await send('192.0.2.5');
  expect(await send('192.0.2.5')).toBe(429);
  const { key } = await makeKey(gateway, 'free');
  expect(await send('192.0.2.5', key)).toBe(200);
});

test('a key that is made after it was refused works within five seconds', async () => {
  const key = createKey();
  expect(await send('192.0.2.6', key)).toBe(401);
  const { record } = await makeKey(gateway, 'free');
  await poolOf(gateway.storage).query('UPDATE api_key SET hash = $1 WHERE id = $2', [
    hashKey(key),
    record.id,
  ]);
  gateway.clock.now += 5000;
  expect(await send('192.0.2.6', key)).toBe(200);
});

test('a page for everybody does not wait for a database that does not answer', async () => {
  const { key } = await makeKey(gateway, 'free');
  const client = await holdConnection(gateway.storage);
  await client.query('BEGIN');
  await client.query('LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE');
  const begun = performance.now();
  const reply = await gateway.app.inject({ url: '/health', headers: { 'x-service-api-key': key } });
  const took = performance.now() - begun;
  await client.query('ROLLBACK');
  client.release();
  expect(reply.statusCode).toBe(200);
  expect(took).toBeLessThan(2000);
});
