import { setTimeout as sleep } from 'node:timers/promises';
import type { InjectOptions } from 'fastify';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createApp } from '../harness/app.js';
import { listPath, listQuery, makeKey } from '../harness/keys.js';
import { captureLog } from '../harness/log.js';
import { redisMissing, startRedis } from '../harness/redis.js';
import { poolOf } from '../harness/connections.js';

const captured = captureLog();
const seen: string[] = [];

describe.skipIf(redisMissing)(`a key${redisMissing ? ` (skipped: ${redisMissing})` : ''}`, () => {
  test('is in no log, reply, metric, database or Redis, whatever happens to its requests', async () => {
    const redis = await startRedis();
    onTestFinished(redis.stop);
    const plans = JSON.stringify({ few: { requests: 12, seconds: 60 } });
    const settings = { RATE_LIMITS: 'on', REDIS_URL: redis.url, PLANS: plans, LOG_LEVEL: 'debug' };
    const gateway = await createApp(settings, { log: captured.log });
    onTestFinished(() => gateway.close());
    const made = await makeKey(gateway, 'few', { name: 'the name of the key' });
    const revoked = await makeKey(gateway, 'few');
    await gateway.services.accessControl.keys.revoke(revoked.record.id);
    const mistyped = `${made.key.slice(0, -1)}_`;
    const secrets = [made.key, revoked.key, mistyped];

    async function sendAll(headers: Record<string, string>): Promise<void> {
      const json = { 'content-type': 'application/json', ...headers };
      const ask = (payload: string): InjectOptions => ({
        method: 'POST',
        url: '/graphql',
        headers: json,
        payload,
      });
      const requests: InjectOptions[] = [
        ...[
          '/',
          listPath,
          `${listPath}?pageSize=0`,
          '/v1/nope',
          '/v1/%E0%A4%A',
          '/metrics',
          '/health',
          '/ready',
        ].map((url) => ({ url, headers })),
        { method: 'DELETE', url: listPath, headers },
        ...[{ query: listQuery }, { query: '{ nope(' }, { query: '{ rateLimit { plan } }' }].map((body) =>
          ask(JSON.stringify(body)),
        ),
        ask('{'),
        { url: '/graphql?query={rateLimit{plan}}', headers },
      ];
      for (const request of requests) {
        const { statusCode, headers: sent, body } = await gateway.app.inject(request);
        seen.push(JSON.stringify([statusCode, sent, body]));
      }
    }
    const everyKey: Record<string, string>[] = [
      ...secrets.map((secret) => ({ 'x-service-api-key': secret })),
      ...secrets.map((secret) => ({ 'x-glacier-api-key': secret })),
      { 'x-service-api-key': made.key, 'x-glacier-api-key': revoked.key },
    ];
    for (const headers of everyKey) await sendAll(headers);
    const { storage } = gateway;
    storage.read = () => Promise.reject(new Error('a fault of ours'));
    for (const headers of everyKey) await sendAll(headers);
    // Restores the method of its class.
    Reflect.deleteProperty(storage, 'read');
    const client = new Redis(redis.url);
    for (const name of await client.keys('*')) seen.push(name, JSON.stringify(await client.hgetall(name)));
    client.disconnect();
    await redis.kill();
    await sendAll({ 'x-service-api-key': made.key });
    await sleep(300);
    // The key can no longer be looked up: its read fails, and the failure is logged with all its details.
    await poolOf(gateway.storage).query('ALTER TABLE api_key RENAME TO api_key_away');
    gateway.clock.now += 60_000;
    for (const headers of everyKey) await sendAll(headers);
    await poolOf(gateway.storage).query('ALTER TABLE api_key_away RENAME TO api_key');
    gateway.clock.now += 60_000;
    await sendAll({ 'x-service-api-key': made.key });

    seen.push(captured.text(), await databaseText(poolOf(gateway.storage)));
    const everything = seen.join('\n');
    const signs = [
      'the name of the key',
      'a request failed with an internal error',
      'Redis cannot be used',
      'moraine:limit:key:1',
    ];
    const statuses = [200, 400, 401, 404, 405, 429, 500].map((status) => `[${status},`);
    expect([...signs, ...statuses].filter((sign) => !everything.includes(sign))).toEqual([]);
    for (const secret of secrets) {
      const body = secret.slice(4, 34);
      for (const form of [secret, body, ...encoded(secret), ...encoded(body)]) {
        expect(everything.includes(form)).toBe(false);
      }
    }
  });
});

test('a key that is sent as the id of a request or as the name of an operation is in no log', async () => {
  const captured = captureLog();
  const gateway = await createApp({ REQUEST_LOG: 'on', LOG_LEVEL: 'debug' }, { log: captured.log });
  onTestFinished(() => gateway.close());
  const { key } = await makeKey(gateway, 'free');
  const query = `query ${key} { __typename }`;
  const longName = `query ${'o'.repeat(40)}${key} { __typename }`;
  for (const payload of [{ query }, { query, operationName: key }, { query: longName }]) {
    for (let again = 0; again < 2; again += 1) {
      await gateway.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'x-request-id': key },
        payload,
      });
    }
  }
  await gateway.app.inject({ url: listPath, headers: { 'x-request-id': `a:${key}` } });
  const lines = captured.lines.filter(({ msg }) => msg === 'a request');
  expect(lines).toHaveLength(7);
  expect(captured.text()).toContain('mrn_…');
  for (const part of [key, key.slice(0, 20)]) expect(captured.text()).not.toContain(part);
});

function encoded(text: string): string[] {
  const bytes = Buffer.from(text);
  return [bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, ''), bytes.join(',')];
}

/** Every row of every table, and the statements that are known to the server. */
async function databaseText(pool: { query: (sql: string) => Promise<{ rows: object[] }> }): Promise<string> {
  const { rows: tables } = await pool.query(
    `SELECT format('SELECT t::text AS row FROM %I.%I t', schemaname, tablename) AS sql FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const statements = [
    ...tables.map((table) => (table as { sql: string }).sql),
    'SELECT query FROM pg_stat_activity',
    'SELECT statement FROM pg_prepared_statements',
  ];
  const texts = [];
  for (const sql of statements) texts.push(JSON.stringify((await pool.query(sql)).rows));
  return texts.join('\n');
}
