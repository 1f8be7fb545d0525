import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { troubleOf } from '../../src/storage/errors.js';
import { openStorage, type Storage } from '../../src/storage/open.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { until } from '../harness/embedded.js';
import { openProxy, type Proxy } from '../harness/proxy.js';
import { holdConnection, poolOf } from '../harness/connections.js';

const STATEMENT_TIMEOUT_MS = 500;
// A silent connection is kept for this time-out and a second and a half at most.
const DEADLINE_MS = 10_000;

let database: TestDatabase;
let proxy: Proxy;
let storage: Storage;

beforeEach(async () => {
  database = await createDatabase();
  proxy = await openProxy(database.url);
  const settings = { DATABASE_POOL: '1', STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS) };
  storage = await openStorage(
    loadConfig({ ...settings, DATABASE_URL: proxy.url }),
    pino({ level: 'silent' }),
  );
  await poolOf(storage).query('SELECT 1');
});

afterEach(async () => {
  await storage.close();
  await proxy.close();
  await database.drop();
});

/** The error of work that ends in time, or how else it ended. */
function endOf(work: Promise<unknown>): Promise<unknown> {
  const late = new Promise((resolve) => setTimeout(() => resolve('it hangs'), DEADLINE_MS).unref());
  return Promise.race([
    work.then(
      () => 'it succeeded',
      (error: unknown) => error,
    ),
    late,
  ]);
}

async function expectFresh(): Promise<void> {
  proxy.mend();
  expect(await endOf(poolOf(storage).query('SELECT 1'))).toBe('it succeeded');
  expect(poolOf(storage).totalCount).toBe(1);
  const { rows } = await poolOf(storage).query<{ mine: boolean }>(
    `SELECT state = 'active' AND xact_start = query_start AS mine FROM pg_stat_activity WHERE pid = pg_backend_pid()`,
  );
  expect(rows).toEqual([{ mine: true }]);
}

test('a statement that nobody answers fails, and its connection is not used again', async () => {
  proxy.swallow();
  expect(troubleOf(await endOf(poolOf(storage).query('SELECT 1')))).toBe('gone');
  await expectFresh();
});

test('a transaction whose server falls silent fails, and its connection is not used again', async () => {
  const work = storage.snapshot(async (connection) => {
    proxy.swallow();
    await connection.query('SELECT 1');
  });
  expect(troubleOf(await endOf(work))).toBe('gone');
  await expectFresh();
});

test('so it is with a transaction of Prisma, whose rollback does not hang either', async () => {
  const work = storage.prisma.$transaction(
    async (transaction) => {
      await transaction.installation.count();
      proxy.swallow();
      await transaction.installation.count();
    },
    { timeout: 5 * DEADLINE_MS },
  );
  expect(troubleOf(await endOf(work))).toBe('gone');
  await expectFresh();
});

test('an idle connection that went through a silent network is not used again', async () => {
  const wide = await openStorage(
    loadConfig({ DATABASE_POOL: '3', STATEMENT_TIMEOUT_MS: '500', DATABASE_URL: proxy.url }),
    pino({ level: 'silent' }),
  );
  await Promise.all([1, 2, 3].map(() => poolOf(wide).query('SELECT pg_sleep(0.1)')));
  expect(poolOf(wide).totalCount).toBe(3);
  proxy.swallow();
  expect(troubleOf(await endOf(poolOf(wide).query('SELECT 1')))).toBe('gone');
  proxy.mend();
  await Promise.all([1, 2, 3].map(() => poolOf(wide).query('SELECT 1')));
  await wide.close();
});

test('a slow answer within its time is not taken for silence', async () => {
  const { rows } = await poolOf(storage).query<{ n: number }>('SELECT pg_sleep(0.4)::text, 1 AS n');
  expect(rows).toMatchObject([{ n: 1 }]);
  expect(troubleOf(await endOf(poolOf(storage).query('SELECT pg_sleep(5)')))).toBe('late');
});

test('closing ends while statements are under way and nobody answers, and leaves no socket', async () => {
  const client = await holdConnection(storage);
  proxy.swallow();
  const statement = endOf(client.query('SELECT 1').finally(() => client.release()));
  expect(await endOf(storage.close())).toBe('it succeeded');
  expect(troubleOf(await statement)).toBe('gone');
  await until(() => Promise.resolve(proxy.open() === 0));
});
