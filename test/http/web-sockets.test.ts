import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { listenOnPort } from '../harness/listen.js';

let gateway: TestApp;
let port: number;
beforeAll(async () => {
  gateway = await createApp();
  port = await listenOnPort(gateway.app);
});
afterAll(() => gateway.close());

/** Asks for another protocol, as clients do that then wait for a 101. */
async function ask(path: string, upgrade: string) {
  const asked = request({
    host: '127.0.0.1',
    port,
    path,
    headers: {
      connection: 'Upgrade',
      upgrade,
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      'sec-websocket-protocol': 'graphql-transport-ws',
    },
  }).end();
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: reply.statusCode, body: JSON.parse(await text(reply)) as Record<string, unknown> };
}

const paths = ['/graphql', '/graphql?query={__typename}', '/v1/chains', '/health', '/no/such/path'];

test.each(paths)('a WebSocket is refused at %s, with what is served instead', async (path) => {
  for (const upgrade of ['websocket', 'WebSocket', 'foo/2, websocket']) {
    const { status, body } = await ask(path, upgrade);
    expect(status).toBe(400);
    expect(body['message'] ?? (body['errors'] as { message: string }[])[0]?.message).toMatch(
      /^upgrade: websocket is not supported/,
    );
  }
});

test('in GraphQL in the form of its errors', async () => {
  expect((await ask('/graphql', 'websocket')).body).toEqual({
    errors: [{ message: expect.any(String), extensions: { code: 'BAD_USER_INPUT' } }],
  });
});

test('what else is offered is passed over', async () => {
  const { status, body } = await ask('/graphql?query={__typename}', 'h2c');
  expect([status, body['data']]).toEqual([200, { __typename: 'Query' }]);
});
