import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { drain } from '../../src/http/drain.js';
import { createApp, type TestApp } from '../harness/app.js';
import { holdConnection } from '../harness/connections.js';
import { listen, listenOnPort } from '../harness/listen.js';

const LIST = '/v1/networks/fuji/blockchains/p-chain/utxos';

let gateway: TestApp;
let port: number;

beforeEach(async () => {
  gateway = await createApp({ MAX_REQUESTS_IN_FLIGHT: '12' });
  port = await listenOnPort(gateway.app);
});

afterEach(() => gateway.close());

const fetchPath = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init);

/** Holds every list of outputs until it is released. */
async function holdUtxos(): Promise<() => Promise<void>> {
  const client = await holdConnection(gateway.storage);
  await client.query('BEGIN');
  await client.query('LOCK TABLE utxo_owner IN ACCESS EXCLUSIVE MODE');
  return async () => {
    await client.query('ROLLBACK');
    client.release();
  };
}

async function inFlight(count: number): Promise<void> {
  for (;;) {
    const metrics = await (await fetchPath('/metrics')).text();
    if (metrics.includes(`moraine_http_requests_in_flight ${count}\n`)) return;
    await sleep(10);
  }
}

test('beyond its bound requests are refused before they wait, and those before it are answered', async () => {
  const release = await holdUtxos();
  const waiting = Array.from({ length: 3 }, () => fetchPath(LIST));
  await inFlight(3);
  for (const path of [LIST, '/', '/no/such/path']) {
    const refused = await fetchPath(path);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(await refused.json()).toMatchObject({ statusCode: 503, error: 'Service Unavailable' });
  }
  const graphql = await fetchPath('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ __typename }"}',
  });
  expect(graphql.status).toBe(503);
  expect((await fetchPath('/health')).status).toBe(200);
  await release();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await fetchPath(LIST)).status).toBe(200);
});

test('a request that its client gives up makes room for another', async () => {
  const release = await holdUtxos();
  const gone = new AbortController();
  const waiting = Array.from({ length: 3 }, () => fetchPath(LIST, { signal: gone.signal }).catch(() => null));
  await inFlight(3);
  gone.abort();
  await Promise.all(waiting);
  await release();
  await inFlight(0);
  expect((await fetchPath(LIST)).status).toBe(200);
});

test('a client that goes away while it sends its body makes room for another', async () => {
  for (let count = 0; count < 5; count += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    );
    await sleep(20);
    socket.destroy();
    await inFlight(0);
  }
  expect((await fetchPath(LIST)).status).toBe(200);
});

test('malformed requests do not use the bound up', async () => {
  for (let count = 0; count < 10; count += 1) expect((await fetchPath('/v1/networks/%zz')).status).toBe(400);
  expect((await fetchPath(LIST)).status).toBe(200);
});

test('before closing, health says so while requests are still answered, each on a connection that then ends', async () => {
  const other = await createApp();
  const address = await listen(other.app);
  const before = await fetch(`${address}${LIST}`);
  expect(before.headers.get('connection')).toBe('keep-alive');
  other.app.load.announceClosing();
  expect((await fetch(`${address}/ready`)).status).toBe(503);
  const after = await fetch(`${address}${LIST}`);
  expect({ status: after.status, text: await after.text() }).toEqual({
    status: 200,
    text: await before.text(),
  });
  expect(after.headers.get('connection')).toBe('close');
  await other.close();
});

test('closing waits until a balancer has noticed the health checks', async () => {
  const other = await createApp();
  const address = await listen(other.app);
  let drained = false;
  const draining = drain([other.app.load], 1500).then(() => (drained = true));
  const seen = [];
  // Longer than the quiet time in all, with much less between two, and shorter than what is waited at most.
  for (const end = performance.now() + 2500; performance.now() < end;) {
    const { status } = await fetch(`${address}${LIST}`);
    seen.push({ status, drained });
    await sleep(40);
  }
  expect(seen).toEqual(seen.map(() => ({ status: 200, drained: false })));
  await draining;
  await other.close();
});

test('closing does not wait for ever for clients that ignore them', async () => {
  const other = await createApp();
  const address = await listen(other.app);
  let drained = false;
  const draining = drain([other.app.load], 500).then(() => (drained = true));
  while (!drained) {
    expect((await fetch(`${address}${LIST}`)).status).toBe(200);
    await sleep(30);
  }
  await draining;
  await other.close();
});

test('while closing, what runs is finished, the rest is refused, and health says so', async () => {
  const release = await holdUtxos();
  const running = fetchPath(LIST);
  await inFlight(1);
  const closed = gateway.app.close();
  await sleep(30);
  const refused = await fetchPath('/v1/networks/fuji/blockchains/x-chain/utxos');
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(await refused.json()).toMatchObject({
    statusCode: 503,
    message: expect.stringContaining('shutting down') as string,
  });
  for (const path of ['/health', '/ready', '/v1/health-check', '/v2/live-check']) {
    const health = await fetchPath(path);
    expect(health.status).toBe(503);
    expect(await health.json()).toMatchObject({ status: 'shutting_down' });
  }
  await release();
  expect((await running).status).toBe(200);
  await closed;
  await expect(fetchPath('/health')).rejects.toThrow();
});
