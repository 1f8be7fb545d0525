import { Avalanche } from '@avalanche-sdk/chainkit';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config.js';
import { startServer } from '../../../src/serve.js';
import { createDatabase } from '../../harness/database.js';
import { importRows } from '../../harness/import-rows.js';
import { CUMULATIVE, DAILY, DAY, FIRST, pathOf, subnetAt } from '../../harness/subnet-metrics.js';

test('the published client reads the metrics, on a port of its own that serves the /v2 paths alone', async () => {
  const database = await createDatabase();
  const config = loadConfig({
    DATABASE_URL: database.url,
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
    SAMPLE: 'off',
    PORT: '0',
    METRICS_PORT: '0',
  });
  const server = await startServer(config, pino({ level: 'silent' }));
  const subnetId = subnetAt(1);
  const rows = [
    { subnetId, metric: DAILY, timestamp: FIRST, value: '3' },
    { subnetId, metric: DAILY, timestamp: FIRST + DAY, value: '4' },
  ];
  await importRows(server.services.storage, 'mainnet.subnet-metrics', rows);
  const client = new Avalanche({ enableTelemetry: false });
  const reply = await client.metrics.l1Validators.getMetricsBySubnetId(
    { metric: CUMULATIVE, subnetId, startTimestamp: FIRST - 1, endTimestamp: FIRST + 3 * DAY },
    { serverURL: server.metricsUrl },
  );
  expect(reply.results).toEqual([
    { value: 7, timestamp: FIRST + DAY },
    { value: 3, timestamp: FIRST },
  ]);

  expect(server.metricsUrl).not.toBe(server.url);
  const statusOf = async (url: string, path: string) => (await fetch(`${url}${path}`)).status;
  expect(await statusOf(server.url, pathOf(subnetId, DAILY))).toBe(200);
  expect(await statusOf(server.metricsUrl, '/v1/networks/fuji/blockchains/p-chain/utxos')).toBe(404);
  expect(await statusOf(server.metricsUrl, '/graphql')).toBe(404);
  expect(await statusOf(server.url, '/v1/networks/fuji/blockchains/p-chain/utxos')).toBe(200);
  await server.stop();
  await database.drop();
});
