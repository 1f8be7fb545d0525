import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { isUnavailable } from '../../src/storage/errors.js';
import { openStorage, type Storage } from '../../src/storage/open.js';
import { connectTo, holdConnection, poolOf } from '../harness/connections.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { openProxy } from '../harness/proxy.js';

const log = pino({ level: 'silent' });
let database: TestDatabase;
let storage: Storage;

beforeAll(async () => {
  database = await createDatabase();
  const env = { DATABASE_URL: database.url, DATABASE_POOL: '1', STATEMENT_TIMEOUT_MS: '300' };
  storage = await openStorage(loadConfig(env), log);
});

afterAll(async () => {
  await storage.close();
  await database.drop();
});

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error,
  );
}

async function killConnections(): Promise<void> {
  const admin = await connectTo(database.url);
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await admin.end();
}

describe('the database is unavailable', () => {
  test('when a statement takes too long, through the pool and through Prisma', async () => {
    const slow = 'SELECT pg_sleep(5)::text';
    expect(isUnavailable(await failureOf(poolOf(storage).query(slow)))).toBe(true);
    expect(isUnavailable(await failureOf(storage.prisma.$queryRawUnsafe(slow)))).toBe(true);
  });

  test('when no connection becomes free in time', async () => {
    const client = await holdConnection(storage);
    const read = failureOf(storage.read({ name: 'one', text: 'SELECT 1' }, []));
    const count = failureOf(storage.prisma.installation.count());
    const errors = await Promise.all([read, count]);
    client.release();
    expect(errors.map((error) => isUnavailable(error))).toEqual([true, true]);
  });

  test('when the server ends the connection in mid-statement, and the next read works', async () => {
    const { rows } = await poolOf(storage).query<{ n: number }>('SELECT 1 AS n');
    expect(rows).toEqual([{ n: 1 }]);
    const client = await holdConnection(storage);
    await client.query('SET statement_timeout = 0');
    const failure = failureOf(client.query('SELECT pg_sleep(60)'));
    await killConnections();
    expect(isUnavailable(await failure)).toBe(true);
    client.release(true);
    expect(await storage.read({ name: 'one', text: 'SELECT 1 AS n' }, [])).toEqual([{ n: 1 }]);
  });

  test('when nobody listens, through the pool and through Prisma', async () => {
    const gate = await openProxy(database.url);
    const behind = await openStorage(loadConfig({ DATABASE_URL: gate.url }), log);
    await behind.prisma.installation.count();
    await gate.close();
    const errors = [
      await failureOf(behind.read({ name: 'one', text: 'SELECT 1' }, [])),
      await failureOf(behind.prisma.installation.count()),
      await failureOf(behind.prisma.$queryRaw`SELECT 1`),
    ];
    expect(errors.map((error) => isUnavailable(error))).toEqual([true, true, true]);
    await behind.close();
  });
});

describe('the database is not unavailable', () => {
  test('when the request itself is wrong', async () => {
    const wrong = [
      await failureOf(poolOf(storage).query('SELECT 1/0')),
      await failureOf(poolOf(storage).query('SELECT * FROM nothing')),
      await failureOf(storage.prisma.$queryRawUnsafe('SELECT 1/0')),
      await failureOf(storage.prisma.installation.findUniqueOrThrow({ where: { id: crypto.randomUUID() } })),
      new TypeError('a bug of ours'),
      undefined,
    ];
    expect(wrong.map((error) => isUnavailable(error))).toEqual(wrong.map(() => false));
  });
});
