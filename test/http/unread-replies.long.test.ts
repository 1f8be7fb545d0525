import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { poolOf } from '../harness/connections.js';
import { chainRow } from '../harness/evm-rows.js';
import { makeKey } from '../harness/keys.js';
import { importRows } from '../harness/seed.js';
import { listenOnPort } from '../harness/listen.js';
import { get, importLargeTransaction, metric, send, until } from '../harness/raw-client.js';

/** Each asks twice for the large reply: in all several times what one caller may leave unread. */
const CLIENTS = 10;

let gateway: TestApp;
let port: number;
let large: string;
let length: number;
beforeAll(async () => {
  // A caller's quarter is 16 MiB, about four of the large replies.
  gateway = await createApp({
    MAX_UNSENT_MB: '64',
    READ_TIMEOUT_MS: '3000',
    MIN_READ_BYTES_PER_SECOND: '8192',
  });
  large = await importLargeTransaction(gateway);
  port = await listenOnPort(gateway.app);
  length = (await gateway.get(large)).text.length;
});
afterAll(() => gateway.close());

const inFlight = () => metric(port, 'moraine_http_requests_in_flight');

/** Bytes that arrive where about 1 MB a second is read, in sips, until the connection ends. */
async function sip(socket: Socket): Promise<number> {
  let received = 0;
  try {
    for await (const chunk of socket) {
      received += (chunk as Buffer).length;
      socket.pause();
      await sleep(60);
      socket.resume();
    }
  } catch {
    // Cut off.
  }
  return received;
}

/** Has a chain held whose description has so many bytes: more than an import takes. */
async function holdChain({ storage }: Pick<TestApp, 'storage'>, id: number, size: number): Promise<void> {
  await importRows(storage, 'evm.chains', [chainRow(String(id))]);
  await poolOf(storage).query(`UPDATE chain SET description = repeat('x', $2) WHERE evm_chain_id = $1`, [
    id,
    size,
  ]);
}

/** A gateway with a chain for each of these numbers, whose reply has so many bytes and a few more. */
async function serving(env: Record<string, string>, sizes: readonly number[]) {
  const other = await createApp(env);
  onTestFinished(() => other.close());
  const paths = sizes.map((_, index) => `/v1/chains/${9000 + index}`);
  for (const [index, size] of sizes.entries()) await holdChain(other, 9000 + index, size);
  return { ...other, paths, at: await listenOnPort(other.app) };
}

test('a reply of several megabytes is given whole to whoever reads it, slowly too', async () => {
  expect(length).toBeGreaterThan(3_000_000);
  const socket = await send(port, get(large, 'connection: close\r\n'));
  expect(await sip(socket)).toBeGreaterThan(length);
});

test('who does not read from a Unix socket is cut off as well', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moraine-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'http');
  const other = await createApp({ READ_TIMEOUT_MS: '1000' });
  onTestFinished(() => other.close());
  await holdChain(other, 9000, 8e6);
  await other.app.listen({ path });
  const socket = connect({ path }).on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(get('/v1/chains/9000'));
  expect(await until(() => other.app.load.unsentBytes > 0)).toBe(true);
  expect(await until(() => other.app.load.unsentBytes === 0)).toBe(true);
  socket.destroy();
});

test('who reads on all the time, but below the rate, is cut off', async () => {
  // The system takes about 4 MB at once, and then a third of that each time when so much has been read: of a
  // slower reader nothing would be seen to move within the time.
  const rate = { READ_TIMEOUT_MS: '3000', MIN_READ_BYTES_PER_SECOND: String(3 * 2 ** 20) };
  const { app, at, paths } = await serving(rate, [16e6]);
  const received = await sip(await send(at, get(paths[0]!, 'connection: close\r\n')));
  expect(received).toBeGreaterThan(1e6);
  expect(received).toBeLessThan(14e6);
  expect(app.load.unsentBytes).toBe(0);
});

test('what callers hold unread together is bounded, whoever comes last and however much that is', async () => {
  // All but the last are below their quarter of 8 MiB, of which the system takes about 4 MB.
  const sizes = [7.0e6, 7.2e6, 7.4e6, 7.6e6, 7.8e6, 9.0e6];
  const other = await serving({ MAX_UNSENT_MB: '32' }, sizes);
  const sockets = [];
  let most = 0;
  for (const path of other.paths) {
    const { key } = await makeKey(other, 'free');
    const socket = await send(other.at, get(path, `x-service-api-key: ${key}\r\n`));
    sockets.push(socket);
    // Its beginning is read, and no more.
    await once(socket, 'readable');
    most = Math.max(most, other.app.load.unsentBytes);
  }
  expect(most).toBeLessThan(32 * 2 ** 20 + 1);
  // Nobody lost more than had to be.
  expect(most).toBeGreaterThan(24 * 2 ** 20);
  for (const socket of sockets) socket.destroy();
});

test('a reply larger than all that may be unread arrives whole', async () => {
  const size = 6e6;
  const { at, paths } = await serving({ MAX_UNSENT_MB: '4' }, [size]);
  for (const encoding of ['gzip', 'identity']) {
    const reply = await fetch(`http://127.0.0.1:${at}${paths[0]}`, {
      headers: { 'accept-encoding': encoding },
    });
    expect(reply.status).toBe(200);
    expect(((await reply.json()) as { description: string }).description).toBe('x'.repeat(size));
  }
});

test.each(['', 'accept-encoding: gzip\r\n'])(
  'clients that do not read are cut off (%j)',
  async (encoding) => {
    const { key } = await makeKey(gateway, 'free');
    const fields = `${encoding}x-service-api-key: ${key}\r\n`;
    const sockets = [];
    for (let count = 0; count < CLIENTS; count += 1) {
      const socket = await send(port, get(large, fields).repeat(2));
      socket.pause();
      sockets.push(socket);
    }
    let most = 0;
    const look = setInterval(() => (most = Math.max(most, gateway.app.load.unsentBytes)), 10);
    expect(await until(async () => (await inFlight()) === 0, 40)).toBe(true);
    clearInterval(look);
    expect(most).toBeLessThan(16 * 2 ** 20 + 1);
    expect(gateway.app.load.unsentBytes).toBe(0);
    for (const socket of sockets) socket.destroy();
  },
);

test('a caller with too much unread is refused, and everybody else is served', async () => {
  const [greedy, other] = await Promise.all([makeKey(gateway, 'free'), makeKey(gateway, 'free')]);
  const ask = (key: string) =>
    fetch(`http://127.0.0.1:${port}${large}`, { headers: { 'x-service-api-key': key } });
  const statuses = new Set<number>();
  const unread = [];
  for (let count = 0; count < 6; count += 1) {
    const reply = await ask(greedy.key).catch(() => undefined);
    if (!reply) continue;
    statuses.add(reply.status);
    if (reply.status === 503) expect(await reply.json()).toMatchObject({ statusCode: 503 });
    else unread.push(reply.text().catch(() => ''));
    expect((await ask(other.key)).status).toBe(200);
  }
  expect(statuses).toContain(200);
  await Promise.all(unread);
});

test('while a caller reads a reply larger than its share, its small requests are answered, and the reply arrives whole', async () => {
  const size = 12e6;
  const { at, paths, ...other } = await serving({ MAX_UNSENT_MB: '32' }, [size, 100]);
  const { key } = await makeKey(other, 'free');
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
  const socket = await send(at, get(paths[0]!, `connection: close\r\nx-service-api-key: ${key}\r\n`));
  const received = sip(socket);
  expect(await until(() => other.app.load.unsentBytes > 8 * 2 ** 20)).toBe(true);
  const body = JSON.stringify({ query: '{ chains(first: 1) { nodes { chainId } } }' });
  for (let round = 0; round < 3; round += 1) {
    const rest = await fetch(`http://127.0.0.1:${at}${paths[1]}`, { headers });
    const graphql = await fetch(`http://127.0.0.1:${at}/graphql`, { method: 'POST', headers, body });
    expect([rest.status, graphql.status]).toEqual([200, 200]);
    await Promise.all([rest.text(), graphql.text()]);
  }
  // They were all asked for while it was being read.
  expect(socket.closed).toBe(false);
  expect(await received).toBeGreaterThan(size);
});

test('a reply of a caller without a key is cut off before one of a key', async () => {
  // Eight callers, each below its share of 8 MiB.
  const size = 7e6;
  const { at, paths, ...other } = await serving({ MAX_UNSENT_MB: '32' }, [size]);
  const { key } = await makeKey(other, 'free');
  const keyed = await send(at, get(paths[0]!, `connection: close\r\nx-service-api-key: ${key}\r\n`));
  await once(keyed, 'readable');
  const strangers = [];
  for (let host = 2; host < 9; host += 1) {
    strangers.push(await send(at, get(paths[0]!), `127.0.0.${host}`));
    await once(strangers.at(-1)!, 'readable');
  }
  expect(await sip(keyed)).toBeGreaterThan(size);
  for (const socket of strangers) socket.destroy();
});
