import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestApp } from '../harness/app.js';
import { startCollector, type CollectedSpan, type Collector } from '../harness/collector.js';
import { serveJsonRpc } from '../harness/json-rpc.js';
import { type LoopbackServer, serveHttp } from '../harness/loopback.js';
import { createReindexingApp, erc721, readToken, reindexPath } from '../harness/nft-api.js';

const elsewhere = `0x${'b2'.repeat(20)}`;
const document = JSON.stringify({ name: 'Lantern' });

let collector: Collector;
let rpc: LoopbackServer;
let web: LoopbackServer;
let gateway: TestApp | undefined;

beforeEach(async () => {
  collector = await startCollector();
  web = await serveHttp((request, response) => {
    if (request.url?.startsWith('/404')) response.writeHead(404).end();
    else if (request.url?.startsWith('/1'))
      response.writeHead(302, { location: '/moved?secret=5', 'content-length': 0 }).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(document);
  });
  rpc = await serveJsonRpc({
    [erc721.toLowerCase()]: { tokenURI: (id) => `${web.url}/${id}?secret=5` },
    [elsewhere]: { tokenURI: () => 'http://user:secret@192.168.7.7:8080/private?secret=5' },
  });
});

afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
  await rpc.close();
  await web.close();
  await collector.close();
});

/** Has a gateway reindex a token, then returns the spans of the job and of the fetches outside it. */
async function reindexed(address: string, tokenId: string) {
  // The address of an RPC contains the key of its operator.
  const keyed = rpc.url.replace('//', '//user:secret@');
  gateway = await createReindexingApp(`${keyed}/secret`, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const app = gateway;
  expect((await app.post(reindexPath(address, tokenId))).status).toBe(201);
  const status = async () => (await readToken(app, address, tokenId))?.metadataStatus;
  await expect.poll(status, { timeout: 30_000 }).toMatch(/^(DONE|FAILED)$/);
  await app.close();
  gateway = undefined;
  const spans = collector.spans();
  expect(JSON.stringify(spans)).not.toMatch(/secret|private|moved/);
  const jobs = spans.filter(({ name }) => name === 'job nft-metadata');
  expect(jobs).toHaveLength(1);
  const fetches = spans.filter(({ kind, attributes }) => kind === 3 && 'http.request.method' in attributes);
  const [inside, outside]: [CollectedSpan[], CollectedSpan[]] = [[], []];
  for (const each of fetches) (each.parentSpanId === jobs[0]!.spanId ? inside : outside).push(each);
  return { job: jobs[0]!, inside, outside };
}

test('a job is a trace of its own, with a span for each fetch: what was asked, not where and with which key', async () => {
  const { job, inside, outside } = await reindexed(erc721, '1');
  expect(job).toMatchObject({ kind: 5, status: {} });
  expect(job.parentSpanId ?? '').toBe('');
  expect(job.attributes).toMatchObject({
    'moraine.job.queue': 'nft-metadata',
    'moraine.job.id': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    'moraine.job.outcome': 'done',
  });
  const asked = {
    'http.request.method': 'POST',
    'server.address': '127.0.0.1',
    'server.port': rpc.port,
    'url.scheme': 'http',
    'http.response.status_code': 200,
    'http.response.body.size': expect.any(Number) as number,
  };
  // tokenURI, and whether the contract is an ERC-1155 one.
  expect(inside.map(({ attributes }) => attributes)).toEqual([
    asked,
    asked,
    {
      'http.request.method': 'GET',
      'server.address': '127.0.0.1',
      'server.port': web.port,
      'url.scheme': 'http',
      'http.response.status_code': 200,
      'http.response.body.size': document.length,
    },
  ]);
  expect(inside.map(({ traceId }) => traceId)).toEqual(Array(3).fill(job.traceId));
  // The RPC is called once before the job is promised, for everyone who waits for the answer.
  expect(outside.map(({ attributes }) => attributes['server.port'])).toEqual([rpc.port]);
  expect(outside[0]!.parentSpanId ?? '').toBe('');
});

test('a fetch that was refused says why, and the job that it failed', async () => {
  const { job, inside } = await reindexed(elsewhere, '2');
  expect(job.attributes['moraine.job.outcome']).toBe('failed');
  expect(job.status).toEqual({ code: 2 });
  const refused = inside.find(({ attributes }) => attributes['server.address'] === '192.168.7.7')!;
  expect(refused.attributes).toEqual({
    'http.request.method': 'GET',
    'server.address': '192.168.7.7',
    'server.port': 8080,
    'url.scheme': 'http',
    'error.type': 'credentials-refused',
  });
  expect(refused.status).toEqual({ code: 2 });
});

test('a fetch that a server refused is an error of that status', async () => {
  const { job, inside } = await reindexed(erc721, '404');
  expect(job.attributes['moraine.job.outcome']).toBe('failed');
  const refused = inside.find(({ attributes }) => attributes['server.port'] === web.port)!;
  expect(refused).toMatchObject({
    status: { code: 2 },
    attributes: { 'http.response.status_code': 404, 'error.type': '404' },
  });
});
