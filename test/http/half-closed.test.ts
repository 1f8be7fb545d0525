import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { whileLocked } from '../harness/connections.js';
import { listPath, listQuery } from '../harness/keys.js';
import { listenOnPort } from '../harness/listen.js';
import { get, readToEnd, send, until } from '../harness/raw-client.js';

let gateway: TestApp;
let port: number;
beforeAll(async () => {
  gateway = await createApp({ REQUEST_TIMEOUT_MS: '60000', STATEMENT_TIMEOUT_MS: '60000' });
  port = await listenOnPort(gateway.app);
});
afterAll(() => gateway.close());

/** All that comes back to a client that closes its side as soon as it has sent `text`. */
async function sendAndEnd(text: string): Promise<string> {
  const socket = await send(port, text);
  socket.end();
  return readToEnd(socket);
}

const body = JSON.stringify({ query: listQuery });
const post = `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

test.each([
  ['REST', get(listPath)],
  ['GraphQL', post],
  ['a health check', get('/health')],
  ['HTTP/1.0', `GET ${listPath} HTTP/1.0\r\n\r\n`],
])('a client that closes its side after a request is answered: %s', async (_door, request) => {
  const reply = await sendAndEnd(request);
  expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  const [head = '', text = ''] = reply.split('\r\n\r\n');
  expect(text).toHaveLength(Number(/^content-length: (\d+)\r?$/m.exec(head)?.[1]));
});

test('so is one that has sent several requests', async () => {
  const replies = await sendAndEnd(get('/v1/chains') + get(listPath) + get('/health'));
  expect(replies.match(/HTTP\/1\.1 200 OK\r/g)).toHaveLength(3);
});

test('one whose request is not whole gets a reply that says so', async () => {
  expect(await sendAndEnd('GET / HT')).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
});

test('if its answer takes long, it gets one that says so, and the request ends', async () => {
  await whileLocked(gateway.storage, 'utxo_owner', async () => {
    const reply = await sendAndEnd(get(listPath));
    expect(reply).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(reply).toMatch(/^retry-after: 1\r$/m);
    expect(reply).toContain('You closed your side of the connection');
    expect(await until(() => gateway.app.load.inFlight === 0)).toBe(true);
  });
  expect(gateway.app.load.connections).toBe(0);
});
