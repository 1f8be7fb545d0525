import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { listPath, makeKey } from '../harness/keys.js';
import { listenOnPort } from '../harness/listen.js';
import { get, halfPost, metric, readToEnd, send, until } from '../harness/raw-client.js';
import { holdConnection } from '../harness/connections.js';

let gateway: TestApp;
let port: number;
beforeEach(async () => {
  gateway = await createApp({ MAX_REQUESTS_IN_FLIGHT: '16', DATABASE_POOL: '8', RATE_LIMITS: 'on' });
  port = await listenOnPort(gateway.app);
});
afterEach(() => gateway.close());

const inFlight = () => metric(port, 'moraine_http_requests_in_flight');
const fetchPath = (path: string, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers });

/** Has every list of outputs wait until it is released. */
async function holdUtxos(): Promise<() => Promise<void>> {
  const client = await holdConnection(gateway.storage);
  await client.query('BEGIN; LOCK TABLE utxo_owner IN ACCESS EXCLUSIVE MODE');
  return async () => {
    await client.query('ROLLBACK');
    client.release();
  };
}

test.each([3, 10, 50])(
  'connections that are reset with %i pipelined requests keep no slot',
  async (pipelined) => {
    const before = await inFlight();
    for (let round = 0; round < 3; round += 1) {
      const packet = get(listPath) + get('/no/such/path').repeat(pipelined);
      const sockets = await Promise.all(Array.from({ length: 8 }, () => send(port, packet)));
      await sleep(2);
      for (const socket of sockets) socket.resetAndDestroy();
    }
    expect(await until(async () => (await inFlight()) === before)).toBe(true);
    const replies = await Promise.all(Array.from({ length: 4 }, () => fetchPath(listPath)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  },
);

test('pipelined requests are answered one after another, in their order', async () => {
  const socket = await send(
    port,
    get('/health') + get('/no/such/path') + get('/health', 'connection: close\r\n'),
  );
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
});

test('bodies that are not sent to their end take no slot', async () => {
  const sockets = await Promise.all(Array.from({ length: 40 }, () => send(port, halfPost())));
  await sleep(100);
  expect((await fetchPath(listPath)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

test('one caller has a quarter of the slots, and the others have the rest', async () => {
  const release = await holdUtxos();
  const [ada, ben] = await Promise.all([makeKey(gateway, 'free'), makeKey(gateway, 'free')]);
  const waiting = Array.from({ length: 4 }, () => fetchPath(listPath));
  expect(await until(async () => (await inFlight()) >= 4)).toBe(true);
  const refused = await fetchPath(listPath);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(await refused.json()).toMatchObject({ message: expect.stringContaining('whole share') as string });
  for (const { key } of [ada, ben])
    expect((await fetchPath('/v1/chains', { 'x-service-api-key': key })).status).toBe(200);
  await release();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await fetchPath(listPath)).status).toBe(200);
});

test('what is refused as the share of its caller is taken is charged nothing', async () => {
  const release = await holdUtxos();
  const { key } = await makeKey(gateway, 'free');
  const headers = { 'x-service-api-key': key };
  const waiting = Array.from({ length: 4 }, () => fetchPath(listPath, headers));
  expect(await until(async () => (await inFlight()) >= 4)).toBe(true);
  const refused = await Promise.all(Array.from({ length: 5 }, () => fetchPath(listPath, headers)));
  for (const { status, headers } of refused) {
    expect(status).toBe(503);
    expect(headers.get('ratelimit-remaining')).toBe('7996');
  }
  await release();
  await Promise.all(waiting);
  expect((await fetchPath('/v1/chains', headers)).headers.get('ratelimit-remaining')).toBe('7995');
});

test('a request whose client left gives its slot back, as its work ends with it', async () => {
  const release = await holdUtxos();
  const socket = await send(port, get(listPath) + get(listPath));
  expect(await until(async () => (await inFlight()) === 1)).toBe(true);
  socket.resetAndDestroy();
  expect(await until(async () => (await inFlight()) === 0)).toBe(true);
  await release();
});

test('many addresses leave a quarter of the requests in flight to callers with a key', async () => {
  const release = await holdUtxos();
  const { key } = await makeKey(gateway, 'free');
  const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
  const strangers = await Promise.all(
    addresses.flatMap((address) => [1, 2, 3, 4].map(() => send(port, get(listPath), address))),
  );
  expect(await until(async () => (await inFlight()) === 12)).toBe(true);
  const stranger = await send(port, get('/v1/chains', 'connection: close\r\n'), '127.0.0.6');
  expect(await readToEnd(stranger)).toMatch(/^HTTP\/1\.1 503 [\s\S]* busy with 12 other requests/);
  expect((await fetchPath('/v1/chains', { 'x-glacier-api-key': key })).status).toBe(200);
  await release();
  for (const socket of strangers) socket.destroy();
  expect(await until(async () => (await inFlight()) === 0)).toBe(true);
});
