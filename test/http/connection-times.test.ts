import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { whileLocked } from '../harness/connections.js';
import { listPath, makeKey } from '../harness/keys.js';
import { listenOnPort } from '../harness/listen.js';
import { get, halfPost, readToEnd, send, until } from '../harness/raw-client.js';

let gateway: TestApp;
let port: number;
beforeEach(async () => {
  gateway = await createApp({
    RATE_LIMITS: 'on',
    HEADERS_TIMEOUT_MS: '1000',
    BODY_TIMEOUT_MS: '1500',
    KEEP_ALIVE_TIMEOUT_MS: '3000',
    MAX_CONNECTIONS: '64',
  });
  port = await listenOnPort(gateway.app);
});
afterEach(() => gateway.close());

/** Reads to the end, which comes within 10 s. */
async function refusalOn(socket: Awaited<ReturnType<typeof send>>) {
  const text = await Promise.race([readToEnd(socket), sleep(10_000, 'still open')]);
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { head, body: body === '' ? undefined : (JSON.parse(body) as object) };
}

test('a head that does not end is refused with 408 in its time', async () => {
  const socket = await send(port, 'GET / HTTP/1.1\r\nhost: x\r\n');
  const trickle = setInterval(() => socket.write('x: y\r\n'), 200);
  const { head, body } = await refusalOn(socket);
  clearInterval(trickle);
  expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(body).toMatchObject({ statusCode: 408, error: 'Request Timeout' });
});

test('a body that does not end is refused with 408 in its time, and costs its key 1', async () => {
  const { key } = await makeKey(gateway, 'free');
  const socket = await send(port, halfPost(100, `x-service-api-key: ${key}\r\n`));
  const trickle = setInterval(() => socket.write(' '), 300);
  const { head, body } = await refusalOn(socket);
  clearInterval(trickle);
  expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(head).toMatch(/^ratelimit-remaining: 7999\r$/m);
  expect(head).toMatch(/^connection: close\r?$/m);
  expect(body).toMatchObject({ statusCode: 408, message: expect.stringContaining('1500 ms') as string });
  const after = await gateway.get(listPath, { 'x-service-api-key': key });
  expect(after.headers['ratelimit-remaining']).toBe('7998');
});

test('a client that gives its body up pays for it too', async () => {
  const { key } = await makeKey(gateway, 'free');
  const socket = await send(port, halfPost(100, `x-service-api-key: ${key}\r\n`));
  await sleep(200);
  socket.destroy();
  await sleep(200);
  const after = await gateway.get(listPath, { 'x-service-api-key': key });
  expect(after.headers['ratelimit-remaining']).toBe('7998');
});

test('a client is not blamed for the time in which the process itself stood still', async () => {
  const body = JSON.stringify({ query: '{ __typename }' });
  const socket = await send(port, halfPost(body.length, 'connection: close\r\n'));
  await sleep(300);
  // The rest is with the system before its time is over; the gateway, in this process, gets to see it only
  // later.
  socket.write(body.slice(1));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
  const { head } = await refusalOn(socket);
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test('a connection without requests is closed', async () => {
  const silent = await send(port, '');
  expect(await Promise.race([readToEnd(silent), sleep(10_000, 'still open')])).toBe('');
  const idle = await send(port, get('/health'));
  expect(await Promise.race([readToEnd(idle), sleep(10_000, 'still open')])).toMatch(/^HTTP\/1\.1 200/);
});

test('of an address that has its share of connections the one longest without progress goes', async () => {
  const key = (await makeKey(gateway, 'free')).key;
  const kept = await send(port, get('/v1/chains', `x-service-api-key: ${key}\r\n`));
  const replies: string[] = [];
  kept.on('data', (chunk) => replies.push(String(chunk)));
  await until(() => replies.length > 0);
  const sockets: Socket[] = [];
  for (let count = 0; count < 40; count += 1) {
    sockets.push(await send(port, count % 2 ? halfPost() : 'GET / HT'));
    sockets.at(-1)?.resume();
  }
  expect(await until(() => sockets.filter(({ closed }) => !closed).length <= 16, 1)).toBe(true);
  expect(sockets.slice(-10).filter(({ closed }) => closed)).toEqual([]);
  expect((await fetch(`http://127.0.0.1:${port}${listPath}`)).status).toBe(200);
  kept.write(get('/v1/chains', `x-service-api-key: ${key}\r\n`));
  expect(await until(() => replies.length > 1)).toBe(true);
  for (const socket of sockets) socket.destroy();
  kept.destroy();
});

/**
 * A gateway with a proxy before it, at 127.0.0.1, which other addresses reach directly; a share is 16
 * connections.
 */
async function proxiedGateway() {
  const patience = { REQUEST_TIMEOUT_MS: '60000', STATEMENT_TIMEOUT_MS: '60000', BODY_TIMEOUT_MS: '60000' };
  const proxied = await createApp({ ...patience, TRUSTED_PROXIES: '127.0.0.1', MAX_CONNECTIONS: '64' });
  onTestFinished(() => proxied.close());
  const at = await listenOnPort(proxied.app);
  const { key } = await makeKey(proxied, 'free');
  const field = `x-service-api-key: ${key}\r\n`;
  /** New connections, each of which has been answered once, in turns from these addresses. */
  const answered = async (count: number, ...from: string[]) => {
    const sockets: Socket[] = [];
    for (let index = 0; index < count; index += 1) {
      sockets.push(await send(at, get('/v1/chains', field), from[index % from.length]));
      await once(sockets.at(-1)!, 'data');
    }
    return sockets;
  };
  const waiting = (from: string) => send(at, get(listPath, field), from);
  const half = (from: string) => send(at, halfPost(100, field), from);
  return { ...proxied, answered, waiting, half };
}

const open = (sockets: readonly Socket[]) => sockets.filter(({ closed }) => !closed);

test('a key has its share of connections over all addresses: the stalest idle one goes, none that is being asked on', async () => {
  const { app, storage, answered, waiting, half } = await proxiedGateway();
  await whileLocked(storage, 'utxo_owner', async () => {
    const asked = [await waiting('127.0.0.2'), await half('127.0.0.3')];
    expect(await until(() => app.load.inFlight === 1)).toBe(true);
    const idle = await answered(30, '127.0.0.2', '127.0.0.3');
    expect(await until(() => open(idle).length <= 14)).toBe(true);
    expect(open(idle)).toEqual(idle.slice(-14));
    expect(open(asked)).toEqual(asked);
  });
});

test('while all of its share are being answered a key is answered on one more, which is closed then', async () => {
  const { app, storage, waiting } = await proxiedGateway();
  const replies = Array<string>(20).fill('');
  // All at once: of those that are worked on, one waits for a database connection, for 3 s at most.
  const sockets = await whileLocked(storage, 'utxo_owner', async () => {
    const all = await Promise.all(replies.map((_, index) => waiting(index % 2 ? '127.0.0.3' : '127.0.0.2')));
    for (const [index, socket] of all.entries())
      socket.on('data', (text) => (replies[index] += String(text)));
    expect(await until(() => app.load.inFlight === 20)).toBe(true);
    expect(open(all)).toHaveLength(20);
    return all;
  });
  // Which is answered last is open: those that are closed may be answered before others.
  const good = () => replies.filter((reply) => reply.startsWith('HTTP/1.1 200')).length;
  expect(await until(() => good() === 20 && open(sockets).length === 16)).toBe(true);
  expect(replies.filter((reply) => /^connection: close\r$/im.test(reply))).toHaveLength(4);
});

test('connections of a proxy count only among all, whoever asks on them', async () => {
  const { answered } = await proxiedGateway();
  const proxied = await answered(20, '127.0.0.1');
  const direct = await answered(16, '127.0.0.2');
  expect([open(proxied).length, open(direct).length]).toEqual([20, 16]);
  direct.push(...(await answered(4, '127.0.0.2')));
  expect(await until(() => open(direct).length === 16)).toBe(true);
  expect(open(direct)).toEqual(direct.slice(-16));
  expect(open(proxied)).toHaveLength(20);
});

test('closing waits for nobody who does not send its body or read its reply', async () => {
  const sockets = [
    await send(port, halfPost()),
    await send(port, 'GET / HT'),
    await send(port, get('/health')),
  ];
  await sleep(100);
  const started = Date.now();
  await gateway.app.close();
  expect(Date.now() - started).toBeLessThan(27_000);
  for (const socket of sockets) socket.destroy();
});
