import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { serveJsonRpc } from '../harness/json-rpc.js';
import { listPath, listQuery } from '../harness/keys.js';
import { serveHttp } from '../harness/loopback.js';
import { askOnce, launchProcesses, valueIn, type SeveralProcesses } from '../harness/several-processes.js';

const PROCESSES = 3;
const list = '/v1/networks/fuji/blockchains/p-chain/utxos?includeSpent=true';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

async function start(env: Record<string, string> = {}): Promise<SeveralProcesses> {
  const gateway = await launchProcesses(PROCESSES, {
    ...{ DATABASE_URL: database.url, RATE_LIMITS: 'off', ...env },
  });
  onTestFinished(async () => void (await gateway.stop()));
  return gateway;
}

const scrape = async ({ url }: SeveralProcesses) => (await askOnce(`${url}/metrics`)).text;

/** Kills the process in a place and waits until another one listens there. */
async function killAndWait(gateway: SeveralProcesses, place: number): Promise<void> {
  const before = gateway.pids().get(place)!;
  process.kill(before, 'SIGKILL');
  await expect.poll(() => gateway.pids().get(place), { timeout: 60_000 }).not.toBe(before);
}

/** Asks a list over and over, each time on a connection of its own, by so many clients. */
function startLoad({ url }: SeveralProcesses, clients: number) {
  const statuses: number[] = [];
  let lost = 0;
  let loaded = true;
  const all = Array.from({ length: clients }, async () => {
    while (loaded)
      await askOnce(url + list).then(
        ({ status }) => statuses.push(status),
        () => (lost += 1),
      );
  });
  return {
    /** Waits until so many more requests were answered. */
    async seen(count: number): Promise<void> {
      const until = statuses.length + count;
      while (statuses.length < until) await sleep(20);
    },
    async stop() {
      loaded = false;
      await Promise.all(all);
      return { statuses: new Set(statuses), lost };
    },
  };
}

describe('a process that is killed under load', () => {
  test('is replaced, and the service goes on', async () => {
    const gateway = await start();
    const clients = 4;
    const load = startLoad(gateway, clients);
    for (let place = 1; place <= PROCESSES; place += 1) {
      await load.seen(20);
      await killAndWait(gateway, place);
    }
    await load.seen(20);
    const { statuses, lost } = await load.stop();
    // Lost is what a killed process was answering, or was just being handed.
    expect(statuses).toEqual(new Set([200]));
    expect(lost).toBeLessThanOrEqual(PROCESSES * clients);
    expect(gateway.answered().size).toBe(2 * PROCESSES);
    expect((await askOnce(`${gateway.url}/ready`)).status).toBe(200);
  });

  test('leaves what it had counted in the metrics', async () => {
    const gateway = await start({ WORKER: 'off' });
    const series =
      'http_requests_total{method="GET",route="/v1/networks/:network/blockchains/:blockchainId/utxos",status="200"}';
    const durations = series.replace('requests_total', 'request_duration_seconds_count');
    for (let request = 0; request < 4 * PROCESSES; request += 1) await askOnce(gateway.url + list);
    const before = await scrape(gateway);
    expect(gateway.answered().size).toBe(PROCESSES);
    expect(valueIn(before, series)).toBe(4 * PROCESSES);
    expect(valueIn(before, 'processes_serving')).toBe(PROCESSES);
    for (const place of [1, 2]) await killAndWait(gateway, place);
    await expect.poll(async () => valueIn(await scrape(gateway), 'processes_serving')).toBe(PROCESSES);
    const after = await scrape(gateway);
    expect(valueIn(after, series)).toBe(4 * PROCESSES);
    expect(valueIn(after, durations.replace(',status="200"', ''))).toBe(4 * PROCESSES);
    expect(valueIn(after, 'processes_ended_total')).toBe(2);
  });
});

describe('one answer of metrics', () => {
  test('tells bounds and what is open as sums, and of what is one for all the one value', async () => {
    const gateway = await start({
      ...{ DATABASE_POOL: '9', MAX_CONNECTIONS: '300', MAX_REQUESTS_IN_FLIGHT: '30', MAX_UNSENT_MB: '30' },
      ...{ WORKER: 'off', RATE_LIMITS: 'on' },
    });
    // Reached by every process, so that each has a connection to the database.
    for (let request = 0; request < 2 * PROCESSES; request += 1) await askOnce(gateway.url + list);
    const told = await scrape(gateway);
    expect(valueIn(told, 'database_pool_limit')).toBe(9);
    expect(valueIn(told, 'http_connections_limit')).toBe(300);
    expect(valueIn(told, 'http_requests_in_flight_limit')).toBe(30);
    expect(valueIn(told, 'http_unsent_bytes_limit')).toBe(30 * 2 ** 20);
    expect(valueIn(told, 'database_pool_connections')).toBeGreaterThanOrEqual(PROCESSES);
    expect(valueIn(told, 'database_up')).toBe(1);
    expect(valueIn(told, 'rate_limit_clients')).toBe(1);
    expect(valueIn(told, 'rate_limit_decisions_total{plan="anonymous",outcome="admitted"}')).toBe(
      2 * PROCESSES,
    );
    expect(valueIn(told, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    expect(valueIn(told, 'process_start_time_seconds')).toBeLessThan(Date.now() / 1000 + 1);
  });
});

test('a walk over pages goes on at whichever process comes next', async () => {
  const gateway = await start({ WORKER: 'off' });
  async function walk(read: (token: string) => Promise<[ids: string[], next: string | null]>) {
    const ids: string[] = [];
    for (let token: string | null = ''; token !== null;) {
      const page: [string[], string | null] = await read(token);
      ids.push(...page[0]);
      token = page[1];
    }
    return ids;
  }
  const rest = await walk(async (token) => {
    const { text } = await askOnce(`${gateway.url}${list}&pageSize=100&pageToken=${token}`);
    const { utxos, nextPageToken = null } = JSON.parse(text);
    return [utxos.map(({ utxoId }: { utxoId: string }) => utxoId), nextPageToken];
  });
  const graphql = await walk(async (after) => {
    const page = `{ utxos(network: fuji, blockchainId: "p-chain", includeSpent: true, first: 100, after: ${JSON.stringify(after)})
      { nodes { utxoId } pageInfo { hasNextPage endCursor } } }`;
    const { text } = await askOnce(`${gateway.url}/graphql`, { body: { query: page } });
    const { nodes, pageInfo } = JSON.parse(text).data.utxos;
    const ids = nodes.map(({ utxoId }: { utxoId: string }) => utxoId);
    return [ids, pageInfo.hasNextPage ? pageInfo.endCursor : null];
  });
  expect(rest.length).toBeGreaterThan(400);
  expect(new Set(rest).size).toBe(rest.length);
  expect(graphql).toEqual(rest);
  expect(gateway.answered().size).toBe(PROCESSES);
});

test('one process alone does NFT metadata jobs', async () => {
  let called = 0;
  const silentWeb = await serveHttp(() => void (called += 1));
  const contract = `0x${'a1'.repeat(20)}`;
  const rpc = await serveJsonRpc({ [contract]: { tokenURI: (id) => `${silentWeb.url}/${id}` } });
  onTestFinished(async () => {
    await rpc.close();
    await silentWeb.close();
  });
  const gateway = await start({
    ...{ RPC_URLS: JSON.stringify({ 43113: rpc.url }), FETCH_ALLOW_LOOPBACK: 'true' },
  });
  // One process runs four jobs at a time, and every one of these waits for an answer that does not come.
  for (let token = 1; token <= 4 * PROCESSES; token += 1) {
    const path = `/v1/chains/43113/nfts/collections/${contract}/tokens/${token}:reindex`;
    expect((await askOnce(gateway.url + path, { body: {} })).status).toBe(201);
  }
  await expect.poll(() => called, { timeout: 60_000 }).toBe(4);
  // Longer than a process without work waits before it looks for some.
  await sleep(6000);
  expect(called).toBe(4);
});

test('GraphQL is answered by all of them as by one', async () => {
  const gateway = await start({ WORKER: 'off' });
  const replies = [];
  for (let request = 0; request < 2 * PROCESSES; request += 1)
    replies.push((await askOnce(`${gateway.url}/graphql`, { body: { query: listQuery } })).text);
  const data = replies.map((text) => JSON.stringify(JSON.parse(text).data));
  expect(new Set(data).size).toBe(1);
  expect((await askOnce(gateway.url + listPath)).status).toBe(200);
});
