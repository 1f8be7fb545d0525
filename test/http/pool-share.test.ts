import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ConnectionLimit } from '../../src/storage/connection-limit.js';
import { createApp, type TestApp } from '../harness/app.js';
import { connectTo } from '../harness/connections.js';
import { until } from '../harness/embedded.js';
import { listPath, listQuery } from '../harness/keys.js';

// A list of other tables.
const OTHER = '/v1/networks/fuji/blockchains/x-chain/vertices';

let gateway: TestApp;
let locker: pg.Client;
let watcher: pg.Client;

beforeAll(async () => {
  // Long, so that the wait for the pool ends first.
  gateway = await createApp({ STATEMENT_TIMEOUT_MS: '60000', REQUEST_TIMEOUT_MS: '60000' });
});
afterAll(() => gateway.close());

// Every list of outputs waits while this connection, which is not the gateway's, holds the table.
beforeEach(async () => {
  locker = await connectTo(gateway.services.config.DATABASE_URL ?? '');
  // Another one, for in a transaction the activity of others stays what it was at the first look.
  watcher = await connectTo(gateway.services.config.DATABASE_URL ?? '');
  await locker.query('BEGIN');
  await locker.query('LOCK TABLE utxo_owner IN ACCESS EXCLUSIVE MODE');
});
afterEach(() => Promise.all([locker.end(), watcher.end()]));

// A model call, and none that another request can share.
const token = async (remoteAddress: string, tokenId: number) =>
  await gateway.app.inject({
    method: 'POST',
    url: '/graphql',
    remoteAddress,
    payload: {
      query: `{ nftToken(chainId: "43113", address: "0x${'ab'.repeat(20)}", tokenId: "${tokenId}") { tokenId } }`,
    },
  });

// Async, as an injected request is sent when it is first waited for.
const get = async (remoteAddress: string, url: string) => await gateway.app.inject({ url, remoteAddress });
const list = (remoteAddress: string) => get(remoteAddress, listPath);
const many = (remoteAddress: string, count: number) =>
  Array.from({ length: count }, () => list(remoteAddress));

async function waitingInDatabase(): Promise<number> {
  const { rows } = await watcher.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

test('one caller holds at most a quarter of the pool, over either door, and others are answered', async () => {
  const aliases = Array.from({ length: 12 }, (_, n) => listQuery.replace(/^\{ (.*) \}$/, `a${n}: $1`));
  const payload = { query: `{ ${aliases.join(' ')} }` };
  const remoteAddress = '10.0.0.1';
  const graphql = gateway.app
    .inject({ method: 'POST', url: '/graphql', remoteAddress, payload })
    .then((reply) => reply);
  await until(async () => (await waitingInDatabase()) >= 4);
  const calls = many('10.0.0.1', 12);
  const other = await get('10.0.0.2', OTHER);
  expect(other.statusCode).toBe(200);
  // What waits for its turn is refused after three seconds; until then nothing more has reached the database.
  const refused = await Promise.any(calls.map(async (call) => expectShareRefused(await call)));
  expect(refused).toBe(true);
  expect(await waitingInDatabase()).toBe(4);
  await locker.query('ROLLBACK');
  for (const reply of await Promise.all(calls)) if (reply.statusCode !== 200) expectShareRefused(reply);
  expect((await graphql).body).toContain('SERVICE_UNAVAILABLE');
  expect((await list('10.0.0.1')).statusCode).toBe(200);
});

test('calls of models count as reads do: one caller has at most a quarter of the pool for them', async () => {
  await locker.query('LOCK TABLE nft_token IN ACCESS EXCLUSIVE MODE');
  const calls = Array.from({ length: 12 }, (_, tokenId) => token('10.0.2.1', tokenId));
  await until(async () => (await waitingInDatabase()) >= 4);
  expect((await get('10.0.2.2', OTHER)).statusCode).toBe(200);
  const refused = await Promise.any(
    calls.map(async (call) => {
      const { body } = await call;
      expect(body).toContain('your whole share');
      return body;
    }),
  );
  expect(refused).toContain('SERVICE_UNAVAILABLE');
  expect(await waitingInDatabase()).toBe(4);
  await locker.query('ROLLBACK');
  await Promise.all(calls);
  expect((await token('10.0.2.1', 13)).json()).toEqual({
    data: { nftToken: null },
    extensions: expect.anything(),
  });
});

test('counts of all callers together use at most a quarter of the pool, and those of one half of that', async () => {
  await locker.query('ROLLBACK');
  const query = listQuery.replace('nodes { utxoId }', 'totalCount');
  const count = async (remoteAddress: string) =>
    await gateway.app.inject({ method: 'POST', url: '/graphql', remoteAddress, payload: { query } });
  const read = gateway.storage.read.bind(gateway.storage);
  let running = 0;
  let most = 0;
  const slowly = vi.spyOn(gateway.storage, 'read').mockImplementation(async (...asked) => {
    if (!asked[0].text.includes('AS count')) return read(...asked);
    running += 1;
    most = Math.max(most, running);
    // Long enough for another one to come meanwhile.
    await sleep(200);
    running -= 1;
    return read(...asked);
  });
  const one = await Promise.all(Array.from({ length: 4 }, () => count('10.0.3.1')));
  const mostOfOne = most;
  const callers = ['10.0.3.2', '10.0.3.3', '10.0.3.4', '10.0.3.5', '10.0.3.6', '10.0.3.7'];
  const all = await Promise.all(callers.map((caller) => count(caller)));
  slowly.mockRestore();
  for (const reply of [...one, ...all]) expect(reply.body).toContain('"totalCount":0');
  expect([mostOfOne, most]).toEqual([2, 4]);
});

function expectShareRefused(reply: Awaited<ReturnType<typeof list>>): true {
  expect(reply.statusCode).toBe(503);
  expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(reply.json()).toMatchObject({ message: expect.stringContaining('your whole share') as string });
  return true;
}

test('a pool that is used up is reported as that, and the service is ready all the same', async () => {
  const calls = ['10.0.1.1', '10.0.1.2', '10.0.1.3', '10.0.1.4'].flatMap((caller) => many(caller, 4));
  await until(async () => (await waitingInDatabase()) === 16);
  const fifth = await get('10.0.1.5', OTHER);
  expect(fifth.statusCode).toBe(503);
  expect(fifth.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(fifth.json()).toMatchObject({
    message: expect.stringMatching(/busy: all database connections are in use/) as string,
  });
  expect((await get('10.0.1.6', '/ready')).statusCode).toBe(200);
  await locker.query('ROLLBACK');
  expect((await Promise.all(calls)).map(({ statusCode }) => statusCode)).toEqual(calls.map(() => 200));
});

test('a share is given back on every path, bounds those who wait, and forgets who has nothing', async () => {
  const limit = new ConnectionLimit({ running: 2, waiting: 1, timeoutMs: 100 });
  const ends: (() => void)[] = [];
  const held = () => limit.run('a', () => new Promise<void>((resolve) => ends.push(resolve)));
  const running = [held(), held()];
  const late = limit.run('a', () => Promise.resolve());
  await expect(limit.run('a', () => Promise.resolve())).rejects.toThrow('your whole share');
  await expect(late).rejects.toThrow('your whole share');
  const next = limit.run('a', () => Promise.reject(new Error('it fails')));
  expect(await limit.run('b', () => Promise.resolve('at once'))).toBe('at once');
  ends.forEach((end) => end());
  await Promise.all(running);
  await expect(next).rejects.toThrow('it fails');
  expect(limit.size).toBe(0);
});
