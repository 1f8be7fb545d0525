import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { listPath, listQuery, makeKey } from '../harness/keys.js';
import { redisMissing, startRedis } from '../harness/redis.js';
import { holdConnection, poolOf } from '../harness/connections.js';

let gateway: TestApp;

beforeAll(async () => {
  gateway = await createApp({ DATABASE_POOL: '4' });
});

afterAll(() => gateway.close());

const scrape = async (app = gateway) => (await app.get('/metrics')).text;

/** The value of a series; undefined when a scrape does not tell it. */
async function metric(series: string, app = gateway): Promise<number | undefined> {
  return valueIn(await scrape(app), series);
}

function valueIn(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

test('statements are counted and timed by name, their variants together', async () => {
  const statement = '{statement="utxos_timestamp"}';
  const before = (await metric(`moraine_database_statement_duration_seconds_count${statement}`)) ?? 0;
  await gateway.get(listPath);
  await gateway.get(`${listPath}?sortOrder=asc`);
  expect(await metric(`moraine_database_statement_duration_seconds_count${statement}`)).toBe(before + 2);
  expect(await metric(`moraine_database_statement_duration_seconds_sum${statement}`)).toBeGreaterThan(0);
});

test('a statement that fails is counted', async () => {
  const pool = poolOf(gateway.storage);
  const series = 'moraine_database_statement_failures_total{statement="unnamed"}';
  const before = (await metric(series)) ?? 0;
  await expect(pool.query('SELECT 1/0')).rejects.toThrow('division by zero');
  expect(await metric(series)).toBe(before + 1);
});

test('who waits for a connection is seen while waiting and measured after it', async () => {
  const pool = poolOf(gateway.storage);
  const clients = await Promise.all(Array.from({ length: 4 }, () => pool.connect()));
  const waiting = pool.query('SELECT 1');
  // One scrape: a second one would come a second later, and work waits for three.
  const text = await scrape();
  expect(valueIn(text, 'moraine_database_pool_waiting')).toBeGreaterThanOrEqual(1);
  expect(valueIn(text, 'moraine_database_pool_limit')).toBe(4);
  const before = valueIn(text, 'moraine_database_pool_wait_seconds_sum')!;
  await sleep(300);
  for (const client of clients) client.release();
  await waiting;
  expect(await metric('moraine_database_pool_wait_seconds_sum')).toBeGreaterThan(before + 0.25);
});

test('work that gets no connection is counted, and the metrics still show the database as up', async () => {
  const pool = poolOf(gateway.storage);
  const before = (await metric('moraine_database_pool_failures_total'))!;
  const clients = await Promise.all(Array.from({ length: 4 }, () => pool.connect()));
  await expect(pool.query('SELECT 1')).rejects.toThrow();
  expect(await metric('moraine_database_pool_failures_total')).toBe(before + 1);
  expect(await metric('moraine_database_up')).toBe(1);
  for (const client of clients) client.release();
});

test('memories tell what they answered and what they hold', async () => {
  const { key } = await makeKey(gateway, 'free');
  const headers = { 'x-service-api-key': key };
  const [hits, misses] = [
    'moraine_cache_hits_total{cache="keys"}',
    'moraine_cache_misses_total{cache="keys"}',
  ] as const;
  const before = [await metric(hits), await metric(misses)] as number[];
  await gateway.get(listPath, headers);
  await gateway.get(listPath, headers);
  expect([await metric(hits), await metric(misses)]).toEqual(before.map((count) => count + 1));
  expect(await metric('moraine_cache_entries{cache="keys"}')).toBeGreaterThanOrEqual(1);
  const documents = (await metric('moraine_cache_hits_total{cache="documents"}'))!;
  await gateway.graphql(listQuery);
  await gateway.graphql(listQuery);
  expect(await metric('moraine_cache_hits_total{cache="documents"}')).toBeGreaterThan(documents);
  expect(await metric('moraine_cache_bytes{cache="composite_sets"}')).toBe(0);
});

test('limits are shown next to what they limit', async () => {
  const { config } = gateway.services;
  expect(await metric('moraine_http_requests_in_flight_limit')).toBe(config.MAX_REQUESTS_IN_FLIGHT);
  expect(await metric('moraine_http_connections_limit')).toBe(config.MAX_CONNECTIONS);
  expect(await metric('moraine_http_unsent_bytes_limit')).toBe(config.MAX_UNSENT_MB * 1024 * 1024);
  expect(await metric('moraine_http_requests_refused_total{reason="share"}')).toBe(0);
  expect(await metric('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
});

test('the queue is shown by state', async () => {
  const app = await createApp();
  try {
    await poolOf(app.storage).query(
      `INSERT INTO pgboss.job (name, data) SELECT 'nft-metadata', '{}' FROM generate_series(1, 3)`,
    );
    // A scrape waits 250 ms for the database; on a busy machine the first one answers without these figures.
    await expect
      .poll(() => metric('moraine_queue_jobs{queue="nft-metadata",state="created"}', app), {
        timeout: 60_000,
      })
      .toBe(3);
    expect(await metric('moraine_queue_jobs{queue="nft-metadata",state="active"}', app)).toBe(0);
    expect(await metric('moraine_database_standby', app)).toBe(0);
  } finally {
    await app.close();
  }
});

test('a locked queue neither holds up a scrape nor is asked again by each', async () => {
  const app = await createApp();
  const client = await holdConnection(app.storage);
  try {
    await client.query('BEGIN; LOCK TABLE pgboss.queue IN ACCESS EXCLUSIVE MODE');
    const scrapes = Promise.all(Array.from({ length: 20 }, () => app.get('/metrics')));
    const late = sleep(10_000, 'late', { ref: false });
    expect(await Promise.race([scrapes.then(() => 'answered'), late])).toBe('answered');
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
    );
    expect(rows[0]!.count).toBeLessThanOrEqual(1);
    await expect.poll(() => metric('moraine_database_up', app), { timeout: 15_000 }).toBe(0);
    // What was not measured has no value, not 0.
    for (const name of ['moraine_database_standby', 'moraine_database_replay_lag_seconds'])
      expect(await metric(name, app), name).toBeUndefined();
  } finally {
    await client.query('ROLLBACK');
    client.release();
    await app.close();
  }
});

describe('rate limits', () => {
  test('are shown by plan and outcome', async () => {
    const plans = JSON.stringify({ anonymous: { requests: 2, seconds: 3600 } });
    const app = await createApp({ RATE_LIMITS: 'on', PLANS: plans, RATE_LIMIT_TOLERANCE: '1' });
    try {
      for (let request = 0; request < 5; request += 1) await app.get(listPath);
      const decisions = (outcome: string) =>
        metric(`moraine_rate_limit_decisions_total{plan="anonymous",outcome="${outcome}"}`, app);
      const counts = await Promise.all(['admitted', 'refused', 'blocked'].map(decisions));
      expect(counts[0]).toBe(2);
      expect(counts[1]! + counts[2]!).toBe(3);
      expect(counts[2]).toBeGreaterThan(0);
      expect(await metric('moraine_rate_limit_clients', app)).toBe(1);
      expect(await metric('moraine_rate_limit_redis_up', app)).toBeUndefined();
    } finally {
      await app.close();
    }
  });

  test.skipIf(redisMissing)(`tell whether Redis counts ${redisMissing ?? ''}`, async () => {
    const redis = await startRedis();
    const app = await createApp({ RATE_LIMITS: 'on', REDIS_URL: redis.url });
    try {
      await app.get(listPath);
      expect(await metric('moraine_rate_limit_redis_up', app)).toBe(1);
      await redis.kill();
      expect((await app.get(listPath)).status).toBe(200);
      expect(await metric('moraine_rate_limit_redis_up', app)).toBe(0);
      await redis.restart();
      await expect.poll(() => metric('moraine_rate_limit_redis_up', app), { timeout: 20_000 }).toBe(1);
    } finally {
      await app.close();
      await redis.stop();
    }
  });
});
