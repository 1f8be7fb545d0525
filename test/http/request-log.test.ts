import { once } from 'node:events';
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { listPath, listQuery, makeKey } from '../harness/keys.js';
import { listenOnPort } from '../harness/listen.js';
import { captureLog } from '../harness/log.js';
import { readSample } from '../harness/sample.js';
import { importRows } from '../harness/seed.js';
import { holdConnection } from '../harness/connections.js';

const captured = captureLog();
const address = 'fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm';
const listRoute = '/v1/networks/:network/blockchains/:blockchainId/utxos';

let gateway: TestApp;

beforeAll(async () => {
  gateway = await createApp({ REQUEST_LOG: 'on', SLOW_REQUEST_MS: '0' }, { log: captured.log });
  await importRows(gateway.storage, 'fuji.p-chain.utxos', readSample().utxosOf('p').slice(0, 200));
});

afterAll(() => gateway.close());

function lines(): Record<string, any>[] {
  return captured.lines.filter(({ msg }) => msg === 'a request');
}

/** The line of the request that `send` makes: of its only one. */
async function lineOf<T>(send: () => Promise<T>): Promise<{ line: Record<string, any>; reply: T }> {
  const before = lines().length;
  const reply = await send();
  // A client that closed its side is waited for a little: it may read on.
  await expect.poll(() => lines().length, { timeout: 20_000 }).toBe(before + 1);
  return { line: lines().at(-1)!, reply };
}

test('a list is one line with its route, caller, statements, rows, bytes and time', async () => {
  const { line, reply } = await lineOf(() => gateway.get(`${listPath}?pageSize=3&includeSpent=true`));
  expect(line).toMatchObject({
    level: 30,
    requestId: reply.headers['x-request-id'],
    method: 'GET',
    route: listRoute,
    status: 200,
    plan: 'anonymous',
    caller: 'anonymous',
    client: expect.stringMatching(/^[\w-]{12}$/),
    statements: 1,
    bytes: Buffer.byteLength(reply.text),
    durationMs: expect.any(Number),
  });
  expect(line['rows']).toBeGreaterThan(0);
  expect(line).not.toHaveProperty('aborted');
});

test('the line of a compressed reply tells the bytes that were sent', async () => {
  const { line, reply } = await lineOf(() =>
    gateway.app.inject({
      url: `${listPath}?pageSize=40&includeSpent=true`,
      headers: { 'accept-encoding': 'gzip' },
    }),
  );
  expect(gunzipSync(reply.rawPayload).length).toBeGreaterThan(reply.rawPayload.length);
  expect(line['bytes']).toBe(reply.rawPayload.length);
});

test('a GraphQL operation is logged by name and cost, the name cut short', async () => {
  const name = 'N'.repeat(100);
  const { line } = await lineOf(() => gateway.graphql(`query ${name} ${listQuery}`));
  expect(line).toMatchObject({ route: '/graphql', status: 200, statements: 1, operation: name.slice(0, 64) });
  expect(line['cost']).toBeGreaterThan(1);
});

test('an operation that costs too much is logged by name and cost too', async () => {
  const query = `query Greedy { utxos(network: fuji, blockchainId: "p-chain", first: 100) { nodes {
    creatingTransaction { consumedUtxos(first: 100) { nodes { utxoId creatingTransaction { txHash } } } } } } }`;
  const { line, reply } = await lineOf(() => gateway.graphql(query));
  expect(reply.errors?.[0]?.extensions['code']).toBe('QUERY_TOO_COMPLEX');
  expect(line).toMatchObject({ operation: 'Greedy', statements: 0 });
  expect(line['cost']).toBeGreaterThan(10_000);
});

test('no line holds a path, an address or a key', async () => {
  const { key, record } = await makeKey(gateway, 'free');
  const headers = { 'x-service-api-key': key };
  const { line } = await lineOf(() => gateway.get(`${listPath}?addresses=${address}`, headers));
  expect(line).toMatchObject({ plan: 'free', caller: 'key', keyId: record.id });
  const unknown = await lineOf(() => gateway.get(`/no/such/${address}`));
  expect(unknown.line).toMatchObject({ route: 'unknown', status: 404 });
  expect(captured.text()).not.toContain(address);
  expect(captured.text()).not.toContain(key);
  expect(captured.text()).not.toContain('127.0.0.1');
});

test('a refused key has a line without a plan', async () => {
  const { line } = await lineOf(() => gateway.get(listPath, { 'x-service-api-key': 'mrn_no' }));
  expect(line).toMatchObject({ status: 401, route: listRoute, statements: 0 });
  expect(line).not.toHaveProperty('plan');
});

describe('x-request-id', () => {
  test.each(['a', 'req-1.2_3:4', 'x'.repeat(64)])('%s is taken over', async (id) => {
    const { line, reply } = await lineOf(() => gateway.get('/health', { 'x-request-id': id }));
    expect(reply.headers['x-request-id']).toBe(id);
    expect(line['requestId']).toBe(id);
  });

  test.each(['', 'x'.repeat(65), 'a b', 'a"b', 'ä', '{"level":60}'])('%j is not', async (id) => {
    const { line, reply } = await lineOf(() => gateway.get('/health', { 'x-request-id': id }));
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(line['requestId']).toBe(reply.headers['x-request-id']);
  });
});

test('a client that goes away before its answer has a line that says so', async () => {
  const port = await listenOnPort(gateway.app);
  const client = await holdConnection(gateway.storage);
  await client.query('BEGIN; LOCK TABLE utxo_owner IN ACCESS EXCLUSIVE MODE');
  try {
    const { line } = await lineOf(async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(`GET ${listPath} HTTP/1.1\r\nhost: x\r\n\r\n`);
      await expect.poll(() => waitingReads()).toBe(1);
      socket.destroy();
    });
    expect(line).toMatchObject({ route: listRoute, aborted: true });
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }

  async function waitingReads(): Promise<number> {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
    );
    return rows[0]!.count;
  }
});
