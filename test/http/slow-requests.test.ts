import { afterEach, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { listPath } from '../harness/keys.js';
import { captureLog } from '../harness/log.js';
import { holdConnection } from '../harness/connections.js';

const SLOW_MS = 1000;

let gateway: TestApp;

afterEach(() => gateway.close());

/** Holds lists of outputs back for longer than a request may take without being slow. */
async function listSlowly(): Promise<number> {
  const client = await holdConnection(gateway.storage);
  await client.query('BEGIN; LOCK TABLE utxo_owner IN ACCESS EXCLUSIVE MODE');
  const reply = gateway.get(listPath);
  await client.query(`SELECT pg_sleep(${(2 * SLOW_MS) / 1000})`);
  await client.query('ROLLBACK');
  client.release();
  return (await reply).status;
}

test('a slow request is a warning, whether requests are logged or not', async () => {
  const captured = captureLog();
  gateway = await createApp({ SLOW_REQUEST_MS: String(SLOW_MS) }, { log: captured.log });
  const slow = () => captured.lines.filter(({ msg }) => msg === 'a slow request') as Record<string, any>[];
  expect((await gateway.get('/health')).headers).not.toHaveProperty('x-request-id');
  expect(slow()).toEqual([]);
  expect(await listSlowly()).toBe(200);
  await expect.poll(slow).toHaveLength(1);
  expect(slow()[0]).toMatchObject({
    msg: 'a slow request',
    level: 40,
    method: 'GET',
    route: '/v1/networks/:network/blockchains/:blockchainId/utxos',
    status: 200,
    statements: 1,
    plan: 'anonymous',
  });
  expect(slow()[0]!['durationMs']).toBeGreaterThanOrEqual(SLOW_MS);
});

test('SLOW_REQUEST_MS=0 warns of none', async () => {
  const captured = captureLog();
  gateway = await createApp({ SLOW_REQUEST_MS: '0' }, { log: captured.log });
  expect(await listSlowly()).toBe(200);
  expect(captured.lines.filter(({ msg }) => /request/.test(msg))).toEqual([]);
});
