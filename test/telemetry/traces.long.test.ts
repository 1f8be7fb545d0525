import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { startCollector, type Collector } from '../harness/collector.js';
import { listPath, listQuery } from '../harness/keys.js';
import { captureLog } from '../harness/log.js';
import { serveSockets } from '../harness/loopback.js';
import { poolOf } from '../harness/connections.js';

const listRoute = 'GET /v1/networks/:network/blockchains/:blockchainId/utxos';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';

let collector: Collector;
let gateway: TestApp | undefined;

beforeEach(async () => {
  collector = await startCollector();
});

afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
  await collector.close();
});

async function openGateway(more: Record<string, string> = {}): Promise<TestApp> {
  gateway = await createApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...more });
  return gateway;
}

/** Closes the server and sends the remaining spans, as a stop does. */
async function stop(app: TestApp): Promise<void> {
  await app.app.close();
  await app.services.tracing?.close();
}

/** Returns all spans of a server that is stopped. */
async function spansAfter(app: TestApp) {
  await stop(app);
  return collector.spans();
}

test('a REST request is a span with its statement below it, part of the trace of its caller', async () => {
  const app = await openGateway({ OTEL_SERVICE_NAME: 'moraine-test' });
  const { headers } = await app.get(listPath, { traceparent: `00-${traceId}-${parentId}-01` });
  const spans = await spansAfter(app);
  expect(collector.services()).toEqual(['moraine-test']);
  expect(spans).toHaveLength(2);
  const request = spans.find(({ name }) => name === listRoute)!;
  const statement = spans.find(({ name }) => name !== listRoute)!;
  expect(request).toMatchObject({ traceId, parentSpanId: parentId, kind: 2 });
  expect(request.attributes).toMatchObject({
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'moraine.request_id': headers['x-request-id'],
  });
  expect(statement).toMatchObject({ traceId, parentSpanId: request.spanId, kind: 3 });
  expect(statement.name).toMatch(/^utxos/);
  expect(statement.attributes).toMatchObject({
    'db.system.name': 'postgresql',
    'db.response.returned_rows': expect.any(Number) as number,
  });
});

test('a GraphQL operation has a span between the request and its statements', async () => {
  const app = await openGateway();
  await app.graphql(`query Outputs ${listQuery}`);
  const spans = await spansAfter(app);
  const [request] = spans.filter(({ name }) => name === 'POST /graphql');
  const [operation] = spans.filter(({ name }) => name === 'query Outputs');
  const statements = spans.filter((span) => span !== request && span !== operation);
  expect(request!.parentSpanId ?? '').toBe('');
  expect(operation).toMatchObject({ traceId: request!.traceId, parentSpanId: request!.spanId });
  expect(statements).toHaveLength(1);
  expect(statements[0]!.parentSpanId).toBe(operation!.spanId);
});

test.each([
  ['malformed', 'nonsense'],
  ['of all zeros', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`],
])('a traceparent that is %s begins a trace of its own', async (_which, traceparent) => {
  const app = await openGateway();
  await app.get('/health', { traceparent });
  const [span] = await spansAfter(app);
  expect(span!.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
  expect(span!.parentSpanId ?? '').toBe('');
});

test('what its caller does not sample is not sent, nor anything when the share is 0', async () => {
  const app = await openGateway();
  await app.get(listPath, { traceparent: `00-${traceId}-${parentId}-00` });
  expect(await spansAfter(app)).toEqual([]);
  await app.close();
  const none = await openGateway({ OTEL_TRACES_SAMPLER_ARG: '0' });
  await none.get(listPath, { traceparent: `00-${traceId}-${parentId}-01` });
  expect(await spansAfter(none)).toEqual([]);
});

test('spans are sent while the gateway runs, without waiting for its end', async () => {
  const app = await openGateway();
  await app.get('/health');
  await expect.poll(() => collector.spans().length, { timeout: 20_000 }).toBe(1);
});

test('a failed statement is a span with an error and its code', async () => {
  const app = await openGateway();
  await poolOf(app.storage).query('ALTER TABLE utxo_owner RENAME TO moved');
  expect((await app.get(listPath)).status).toBe(500);
  const spans = await spansAfter(app);
  const statement = spans.find(({ name }) => name.startsWith('utxos'))!;
  expect(statement.status).toEqual({ code: 2 });
  expect(statement.attributes['db.response.status_code']).toBe('42P01');
  expect(spans.find(({ name }) => name === listRoute)!.status).toEqual({ code: 2 });
});

test('with a collector that is away requests are answered, one warning is logged and a stop does not wait', async () => {
  const captured = captureLog();
  const { url } = collector;
  await collector.close();
  gateway = await createApp({ OTEL_EXPORTER_OTLP_ENDPOINT: url }, { log: captured.log });
  const app = gateway;
  for (let round = 0; round < 3; round += 1) expect((await app.get(listPath)).status).toBe(200);
  const warnings = () => captured.lines.filter(({ msg }) => msg.startsWith('traces cannot be sent'));
  await expect.poll(() => warnings().length, { timeout: 30_000 }).toBe(1);
  for (let round = 0; round < 3; round += 1) expect((await app.get(listPath)).status).toBe(200);
  await closesWithin(app, 5000);
  expect(warnings()).toHaveLength(1);
});

test('a collector that never answers does not hold up a stop', async () => {
  const silent = await serveSockets((socket) => socket.resume());
  gateway = await createApp({ OTEL_EXPORTER_OTLP_ENDPOINT: silent.url });
  expect((await gateway.get(listPath)).status).toBe(200);
  await closesWithin(gateway, 5000);
  await silent.close();
});

async function closesWithin(app: TestApp, milliseconds: number): Promise<void> {
  const late = sleep(milliseconds, 'late', { ref: false });
  expect(await Promise.race([stop(app).then(() => 'closed'), late])).toBe('closed');
}
