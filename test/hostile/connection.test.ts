import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Connection } from './harness/connection.js';
import { single } from './harness/input.js';

// A limit answers before the body has arrived: the next request must not be written into the rest of that
// body.
test('an answer that comes before all of its request is sent is the last one on its connection', async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.end(request.url);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const connection = new Connection((server.address() as AddressInfo).port);
  onTestFinished(() => connection.close());
  const head = Buffer.from('POST /first HTTP/1.1\r\nhost: localhost\r\ncontent-length: 64\r\n\r\n');
  const pieces = [head, ...Array.from({ length: 64 }, () => Buffer.from('x'))];
  const first = await connection.exchange(single('early', 'POST', pieces, null));
  const next = Buffer.from('GET /second HTTP/1.1\r\nhost: localhost\r\n\r\n');
  const second = await connection.exchange(single('after', 'GET', next, null));
  expect([first, second].map(({ responses }) => responses.map(({ status }) => status))).toEqual([
    [200],
    [200],
  ]);
  expect(second.responses[0]?.body.toString()).toBe('/second');
});
