import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { poolOf } from '../harness/connections.js';

const livePaths = ['/health', '/v1/live-check', '/v2/live-check'];
const readyPaths = ['/ready', '/v1/health-check', '/v2/health-check'];

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

let gateway: TestApp;

beforeAll(async () => {
  gateway = await createApp();
});

afterAll(() => gateway.close());

test.each([...livePaths, ...readyPaths])('%s says that all is well', async (path) => {
  const { status, text } = await gateway.get(path);
  expect(status).toBe(200);
  const part = livePaths.includes(path) ? 'process' : 'database';
  const up = { [part]: { status: 'up' } };
  const published = { status: 'ok', info: up, error: {}, details: up };
  expect(JSON.parse(text)).toEqual(path.startsWith('/v') ? published : { ...published, version });
});

test('the first screen, the OpenAPI document and the metrics show the version', async () => {
  expect((await gateway.get('/')).text).toContain(`Moraine ${version}.`);
  expect((await gateway.get('/openapi.json')).body).toMatchObject({ info: { version } });
  const build = `moraine_build_info{version="${version}",node="${process.versions.node}"} 1`;
  expect((await gateway.get('/metrics')).text.split('\n')).toContain(build);
});

describe('with a database that lacks a migration', () => {
  beforeAll(() =>
    poolOf(gateway.storage).query(
      `UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name LIKE '%_baseline'`,
    ),
  );
  afterAll(() => poolOf(gateway.storage).query('UPDATE _prisma_migrations SET finished_at = started_at'));

  test.each(readyPaths)('%s is 503 and says what to do', async (path) => {
    const { status, text } = await gateway.get(path);
    expect(status).toBe(503);
    const down = {
      database: { status: 'down', message: expect.stringContaining('moraine migrate') as string },
    };
    expect(JSON.parse(text)).toMatchObject({ status: 'error', info: {}, error: down, details: down });
  });

  test.each(livePaths)('%s is still 200', async (path) => {
    expect((await gateway.get(path)).status).toBe(200);
  });
});

test('without a database it is 503 within its patience, and tells nothing internal', async () => {
  const lost = await createApp();
  await poolOf(lost.storage).end();
  try {
    for (const path of readyPaths) {
      const { status, text } = await lost.get(path);
      expect(status).toBe(503);
      expect(JSON.parse(text)).toMatchObject({
        status: 'error',
        error: { database: { message: 'cannot be reached' } },
      });
    }
    expect((await lost.get('/health')).status).toBe(200);
    expect((await lost.get('/')).text).toContain('cannot be read at the moment');
  } finally {
    await lost.app.close();
  }
});

test('many checks at once ask the database once', async () => {
  const pool = poolOf(gateway.storage);
  const before = pool.totalCount;
  const replies = await Promise.all(Array.from({ length: 50 }, () => gateway.get('/ready')));
  expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(200));
  expect(pool.totalCount).toBeLessThanOrEqual(Math.max(before, 1) + 1);
});

describe('/metrics', () => {
  test('counts requests by route template and tells no path, address or secret', async () => {
    const address = 'fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm';
    await gateway.get(`/v1/networks/fuji/blockchains/x-chain/utxos?addresses=${address}`);
    await gateway.get(`/no/such/path/${address}`);
    const { status, text, headers } = await gateway.get('/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/plain');
    expect(text).toMatch(
      /moraine_http_requests_total\{method="GET",route="\/v1\/networks\/:network\/blockchains\/:blockchainId\/utxos",status="200"\} 1/,
    );
    expect(text).toMatch(/moraine_http_requests_total\{method="other",route="unknown",status="404"\} 1/);
    expect(text).toMatch(/^moraine_http_request_duration_seconds_bucket/m);
    expect(text).toMatch(/^moraine_database_pool_connections \d+$/m);
    expect(text).toMatch(/^process_cpu_seconds_total/m);
    expect(text).not.toContain(address);
    expect(text).not.toContain('/no/such/path');
    expect(text).not.toContain(new URL(gateway.services.config.DATABASE_URL ?? '').password);
  });
});
