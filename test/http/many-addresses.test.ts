import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { makeKey } from '../harness/keys.js';
import { listenOnPort } from '../harness/listen.js';
import { get, send, until } from '../harness/raw-client.js';

/** A caller's share is 16, and 4 are left to connections without a key. */
const MAX_CONNECTIONS = 64;
const SHARE = 16;

let gateway: TestApp;
let port: number;
let sockets: Socket[];
beforeEach(async () => {
  sockets = [];
  gateway = await createApp({ RATE_LIMITS: 'on', MAX_CONNECTIONS: String(MAX_CONNECTIONS) });
  port = await listenOnPort(gateway.app);
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await gateway.close();
});

/** Connections of so many other addresses, on which nothing is sent. */
async function silent(count: number, network: number): Promise<Socket[]> {
  const made: Socket[] = [];
  for (let host = 1; host <= count; host += 1) made.push(await send(port, '', `127.0.${network}.${host}`));
  sockets.push(...made);
  return made;
}

/** What comes back on a connection for one more request with a key. */
async function ask(socket: Socket, key: string): Promise<string> {
  if (socket.closed) return 'closed';
  const reply = Promise.race([once(socket, 'data'), once(socket, 'close').then(() => ['closed'])]);
  socket.write(get('/v1/chains', `x-service-api-key: ${key}\r\n`));
  return String((await reply)[0]).slice(0, 15);
}

/** Connections of a key, each of which was asked on once. */
async function pool(count: number, key: string): Promise<Socket[]> {
  const made: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = await send(port, '');
    made.push(socket);
    sockets.push(socket);
    expect(await ask(socket, key)).toBe('HTTP/1.1 200 OK');
  }
  return made;
}

const open = (some: readonly Socket[]) => some.filter(({ closed }) => !closed);
const isFull = () => until(() => gateway.app.load.connections === MAX_CONNECTIONS);

test('idle connections of many addresses close none of a caller with a key, and none that it has just opened', async () => {
  const { key } = await makeKey(gateway, 'free');
  const kept = await pool(8, key);
  const crowd = await silent(100, 2);
  expect(await isFull()).toBe(true);
  const [anew] = await silent(1, 3);
  const more = await silent(30, 4);
  expect(await ask(anew!, key)).toBe('HTTP/1.1 200 OK');
  for (const socket of kept) expect(await ask(socket, key)).toBe('HTTP/1.1 200 OK');
  expect(open(more)).toHaveLength(30);
  // Those that have been silent longest went.
  expect(open(crowd)).toEqual(crowd.slice(-(MAX_CONNECTIONS - 8 - 1 - 30)));
});

test('a key that is used no more on a connection protects it no more', async () => {
  const { key } = await makeKey(gateway, 'free');
  const [once_, twice] = await pool(2, key);
  twice!.write(get('/v1/chains'));
  await once(twice!, 'data');
  await silent(MAX_CONNECTIONS, 2);
  expect(await until(() => twice!.closed)).toBe(true);
  expect(once_!.closed).toBe(false);
});

test('connections of keys leave room for those that nobody has asked on yet', async () => {
  const keys = await Promise.all(Array.from({ length: 5 }, () => makeKey(gateway, 'free')));
  const pools: Socket[][] = [];
  for (const { key } of keys.slice(0, 4)) pools.push(await pool(SHARE, key));
  expect(open(pools.flat())).toHaveLength(MAX_CONNECTIONS - 4);
  const [anew] = await silent(1, 2);
  await silent(3, 3);
  expect(await ask(anew!, keys[4]!.key)).toBe('HTTP/1.1 200 OK');
  // Of a key that has fewer than others none was closed.
  expect(await ask(anew!, keys[4]!.key)).toBe('HTTP/1.1 200 OK');
  expect(open(pools.flat())).toHaveLength(MAX_CONNECTIONS - 5);
});

/**
 * Connections of so many IPv6 addresses. Their server passes them on to the gateway's, as if they had come to
 * it.
 */
async function fromIPv6(addresses: readonly string[]): Promise<Socket[]> {
  const waiting = [...addresses];
  const door = createServer({ allowHalfOpen: true }, (socket) => {
    Object.defineProperty(socket, 'remoteAddress', { value: waiting.shift() });
    gateway.app.server.emit('connection', socket);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void door.close());
  await once(door, 'listening');
  const made: Socket[] = [];
  for (const [index] of addresses.entries()) {
    const socket = connect((door.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    made.push(socket);
    sockets.push(socket);
    await until(() => waiting.length === addresses.length - index - 1);
  }
  return made;
}

test('a /48 of IPv6 that has more than a caller’s share loses connections before others', async () => {
  const others = await silent(30, 2);
  const site = await fromIPv6(
    Array.from({ length: 34 }, (_, index) => `2001:db8:1:${index.toString(16)}::1`),
  );
  expect(await isFull()).toBe(true);
  await silent(10, 3);
  expect(await until(() => open(site).length === 24)).toBe(true);
  expect(open(others)).toHaveLength(30);
});
