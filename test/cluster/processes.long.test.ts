import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { openStorage, type Storage } from '../../src/storage/open.js';
import type { CompositePage } from '../harness/composite.js';
import { compositeWalks, type CompositeWalks } from '../harness/composite-walk.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { serveJsonRpc } from '../harness/json-rpc.js';
import { listQuery } from '../harness/keys.js';
import { serveHttp, type LoopbackServer } from '../harness/loopback.js';
import {
  askOnce,
  launchProcesses,
  startLoad,
  valueIn,
  type SeveralProcesses,
} from '../harness/several-processes.js';

const PROCESSES = 3;
const contract = `0x${'a1'.repeat(20)}`;
const list = '/v1/networks/fuji/blockchains/p-chain/utxos?includeSpent=true';
const admitted = 'moraine_rate_limit_decisions_total{plan="anonymous",outcome="admitted"}';
const settings = {
  DATABASE_POOL: '12',
  MAX_CONNECTIONS: '300',
  MAX_REQUESTS_IN_FLIGHT: '300',
  MAX_UNSENT_MB: '30',
  FETCH_ALLOW_LOOPBACK: 'true',
  PLANS: JSON.stringify({ anonymous: { requests: 1_000_000, perDay: null } }),
};

let database: TestDatabase;
let silentWeb: LoopbackServer;
let rpc: LoopbackServer;
let storage: Storage;
let gateway: SeveralProcesses;
let composite: CompositeWalks;
/** Fetches of jobs that wait for an answer, and the most at a time. */
let waiting = 0;
let mostWaiting = 0;

beforeAll(async () => {
  database = await createDatabase({ sample: true });
  silentWeb = await serveHttp((request) => {
    waiting += 1;
    mostWaiting = Math.max(mostWaiting, waiting);
    request.socket.once('close', () => (waiting -= 1));
  });
  rpc = await serveJsonRpc({ [contract]: { tokenURI: (id) => `${silentWeb.url}/${id}` } });
  gateway = await launchProcesses(PROCESSES, {
    ...settings,
    DATABASE_URL: database.url,
    RPC_URLS: JSON.stringify({ 43113: rpc.url }),
  });
  storage = await openStorage(
    loadConfig({ DATABASE_URL: database.url, DATABASE_POOL: '2' }),
    pino({ level: 'silent' }),
  );
  composite = compositeWalks(storage, gateway.url);
});
afterAll(async () => {
  await gateway.stop();
  await storage.close();
  await rpc.close();
  await silentWeb.close();
  await database.drop();
});

const scrape = async () => (await askOnce(`${gateway.url}/metrics`)).text;

test('all processes answer, GraphQL too, and none otherwise than another', async () => {
  const replies = new Set<string>();
  for (let request = 0; request < 2 * PROCESSES; request += 1) {
    const { text } = await askOnce(`${gateway.url}/graphql`, { body: { query: listQuery } });
    replies.add(JSON.stringify(JSON.parse(text).data));
  }
  expect(replies.size).toBe(1);
  expect(gateway.answered().size).toBe(PROCESSES);
  expect((await askOnce(`${gateway.url}/ready`)).status).toBe(200);
});

test('metrics are one answer: sums, and of what is one for all the one value', async () => {
  const before = await scrape();
  for (let request = 0; request < 2 * PROCESSES; request += 1) await askOnce(gateway.url + list);
  const metrics = await scrape();
  expect(valueIn(metrics, admitted)! - valueIn(before, admitted)!).toBe(2 * PROCESSES);
  expect(valueIn(metrics, 'moraine_database_pool_limit')).toBe(12);
  expect(valueIn(metrics, 'moraine_http_connections_limit')).toBe(300);
  expect(valueIn(metrics, 'moraine_http_requests_in_flight_limit')).toBe(300);
  expect(valueIn(metrics, 'moraine_http_unsent_bytes_limit')).toBe(30 * 2 ** 20);
  expect(valueIn(metrics, 'moraine_database_pool_connections')).toBeGreaterThanOrEqual(PROCESSES);
  expect(valueIn(metrics, 'moraine_processes_serving')).toBe(PROCESSES);
  expect(valueIn(metrics, 'moraine_database_up')).toBe(1);
  expect(valueIn(metrics, 'moraine_rate_limit_clients')).toBe(1);
  expect(valueIn(metrics, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  expect(valueIn(metrics, 'process_start_time_seconds')).toBeLessThan(Date.now() / 1000 + 1);
});

test('a walk over pages goes on at whichever process comes next', async () => {
  const rest = await walk(async (token) => {
    const { text } = await askOnce(`${gateway.url}${list}&pageSize=100&pageToken=${token}`);
    const { utxos, nextPageToken = null } = JSON.parse(text);
    return [utxos, nextPageToken];
  });
  const graphql = await walk(async (after) => {
    const page = `{ utxos(network: fuji, blockchainId: "p-chain", includeSpent: true, first: 100, after: ${JSON.stringify(after)})
      { nodes { utxoId } pageInfo { hasNextPage endCursor } } }`;
    const { text } = await askOnce(`${gateway.url}/graphql`, { body: { query: page } });
    const { nodes, pageInfo } = JSON.parse(text).data.utxos;
    return [nodes, pageInfo.hasNextPage ? pageInfo.endCursor : null];
  });
  expect(rest.length).toBeGreaterThan(400);
  expect(new Set(rest).size).toBe(rest.length);
  expect(graphql).toEqual(rest);
});

type Page = [utxos: { utxoId: string }[], next: string | null];

async function walk(read: (token: string) => Promise<Page>): Promise<string[]> {
  const ids: string[] = [];
  for (let token: string | null = ''; token !== null;) {
    const [utxos, next]: Page = await read(token);
    ids.push(...utxos.map(({ utxoId }) => utxoId));
    token = next;
  }
  return ids;
}

test('one process alone does NFT metadata jobs', async () => {
  // A process runs four jobs at a time, and every one of these waits for an answer that does not come.
  await Promise.all(
    Array.from({ length: 4 * PROCESSES }, async (_, token) => {
      const path = `/v1/chains/43113/nfts/collections/${contract}/tokens/${token}:reindex`;
      const { status, text } = await askOnce(gateway.url + path, { body: {} });
      expect(status, text).toBe(201);
    }),
  );
  await expect.poll(() => mostWaiting, { timeout: 300_000 }).toBe(4);
  // Longer than a process without work waits before it looks for some.
  await sleep(6000);
  expect(mostWaiting).toBe(4);
});

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('a walk over the pages of a composite query, each by another process, finds what one process would', async () => {
  await composite.balances(numbers(1, 13).map((address) => [address, 10]));
  // Of those who answered other tests.
  gateway.answered().clear();
  expect(await composite.walk(10)).toEqual(numbers(1, 13));
  expect(gateway.answered().size).toBe(PROCESSES);
});

test('it goes on with the set that it began with when an import has changed the data', async () => {
  const changed = numbers(101, 107).map((address): [number, number] => [address, 20]);
  const before = await composite.walk(5);
  expect(await composite.walk(5, () => composite.balances(changed))).toEqual(before);
  // Twice: a process that has borrowed a set caches it, and answers a new iteration with the present data.
  expect(await composite.walk(5)).toEqual([...before, ...numbers(101, 107)]);
});

describe('when all processes are killed under load, one after another,', () => {
  const series = 'moraine_http_requests_total{method="GET",route="/v1/chains",status="200"}';
  const durations = 'moraine_http_request_duration_seconds_count{method="GET",route="/v1/chains"}';
  let begun: CompositePage;
  let answeredBefore: number;
  let load: { statuses: Set<number>; lost: number };

  beforeAll(async () => {
    begun = (await composite.page(3)).body;
    await composite.balances([[201, 20]]);
    for (let request = 0; request < 4 * PROCESSES; request += 1) await askOnce(`${gateway.url}/v1/chains`);
    expect(valueIn(await scrape(), series)).toBe(4 * PROCESSES);
    answeredBefore = gateway.answered().size;
    const running = startLoad(gateway.url + list, 4);
    for (const index of [1, 2, 3]) {
      await running.seen(20);
      await gateway.kill(index);
    }
    await running.seen(20);
    load = await running.stop();
  });

  test('they are replaced, the service goes on, and what they had counted stays', async () => {
    // Only requests that a killed process was answering, or was just receiving, are lost.
    expect(load.statuses).toEqual(new Set([200]));
    expect(load.lost).toBeLessThanOrEqual(PROCESSES * 4);
    expect(gateway.answered().size).toBe(answeredBefore + PROCESSES);
    await expect.poll(async () => valueIn(await scrape(), 'moraine_processes_serving')).toBe(PROCESSES);
    const after = await scrape();
    expect(valueIn(after, series)).toBe(4 * PROCESSES);
    expect(valueIn(after, durations)).toBe(4 * PROCESSES);
    expect(valueIn(after, 'moraine_processes_ended_total')).toBe(PROCESSES);
  });

  test('a walk over a composite query whose set nobody remembers any more is refused', async () => {
    const { status, body: refusal } = await composite.page(3, begun.nextPageToken);
    expect(status).toBe(400);
    expect(String(refusal.message)).toContain('an import has changed their data since');
  });
});
