import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { openProxy, type Proxy } from '../harness/proxy.js';
import { poolOf } from '../harness/connections.js';
import { makeKey } from '../harness/keys.js';

const LIST = '/v1/networks/fuji/blockchains/p-chain/utxos';
const RECOVERY_MS = 20_000;

let gateway: TestApp;
let proxy: Proxy;

beforeAll(async () => {
  const settings = { STATEMENT_TIMEOUT_MS: '1000', REQUEST_TIMEOUT_MS: '2000' };
  gateway = await createApp(settings, { reach: async (url) => (proxy = await openProxy(url)).url });
});

afterAll(async () => {
  await gateway.close();
  await proxy.close();
});

test('a network that swallows everything is a 503, and once it is back lists are answered again', async () => {
  const pool = poolOf(gateway.storage);
  // Every connection that the pool may have goes silent: none is left to recover with.
  await Promise.all(Array.from({ length: pool.options.max }, () => pool.query('SELECT pg_sleep(0.5)')));
  expect(pool.totalCount).toBe(pool.options.max);
  proxy.swallow();
  const lost = await Promise.all(Array.from({ length: 12 }, () => gateway.get(LIST)));
  for (const { status, headers, body } of lost) {
    expect(status).toBe(503);
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(body).toMatchObject({ statusCode: 503, error: 'Service Unavailable' });
  }
  expect((await gateway.get('/ready')).status).toBe(503);
  proxy.mend();
  const deadline = Date.now() + RECOVERY_MS;
  let answers: number[] = [];
  while (!answers.every((status) => status === 200) || answers.length === 0) {
    if (Date.now() > deadline) expect.fail(`still ${answers.join(', ')}`);
    answers = (await Promise.all(Array.from({ length: 12 }, () => gateway.get(LIST)))).map(
      ({ status }) => status,
    );
    await sleep(100);
  }
  expect((await gateway.get('/ready')).status).toBe(200);
});

test('a caller whose key is not known yet waits for its 503 no longer than one without a key', async () => {
  // Statements may take longer than a request: the look-up of the key is not what ends the wait.
  const settings = { STATEMENT_TIMEOUT_MS: '30000', REQUEST_TIMEOUT_MS: '2000' };
  let network: Proxy | undefined;
  const patient = await createApp(settings, { reach: async (url) => (network = await openProxy(url)).url });
  try {
    const { key } = await makeKey(patient, 'free');
    expect((await patient.get(LIST)).status).toBe(200);
    network?.swallow();
    let refused: Awaited<ReturnType<TestApp['get']>> | undefined;
    const withKey = patient.get(LIST, { 'x-service-api-key': key }).then((reply) => (refused = reply));
    // One after the other: by the end of the second its time is over twice.
    for (let round = 0; round < 2; round += 1) expect((await patient.get(LIST)).status).toBe(503);
    expect(refused).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('2000 ms') as string },
    });
    network?.mend();
    network?.cut();
    await withKey;
  } finally {
    await patient.close();
    await network?.close();
  }
});
