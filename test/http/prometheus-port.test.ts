import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { captureLog } from '../harness/log.js';
import { loadConfig } from '../../src/config.js';
import { startServer, type RunningServer } from '../../src/serve.js';
import { freePort } from '../harness/free-port.js';

let database: TestDatabase;
let server: RunningServer;
let metrics: string;

beforeAll(async () => {
  database = await createDatabase();
  const port = await freePort();
  metrics = `http://127.0.0.1:${port}`;
  server = await startServer(
    loadConfig({ DATABASE_URL: database.url, PORT: '0', PROMETHEUS_PORT: String(port), WORKER: 'off' }),
    captureLog().log,
  );
});

afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

test('with PROMETHEUS_PORT that port has only the metrics and the health checks, and they count the requests of the other port', async () => {
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  await fetch(`${server.url}/v1/chains`);
  const reply = await fetch(`${metrics}/metrics`);
  expect(reply.status).toBe(200);
  expect(await reply.text()).toMatch(
    /moraine_http_requests_total\{method="GET",route="\/v1\/chains",status="200"\} 1\n/,
  );
  for (const path of ['/health', '/ready'])
    expect([path, (await fetch(`${metrics}${path}`)).status]).toEqual([path, 200]);
  for (const path of ['/v1/chains', '/graphql', '/']) {
    const other = await fetch(`${metrics}${path}`);
    expect([other.status, await other.json()]).toMatchObject([404, { statusCode: 404 }]);
  }
});
