import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toAppError } from '../../src/failure.js';
import { loadConfig } from '../../src/config.js';
import { troubleOf, type Trouble } from '../../src/storage/errors.js';
import { openStorage, type Storage } from '../../src/storage/open.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { holdConnection, poolOf } from '../harness/connections.js';

const log = pino({ level: 'silent' });

let database: TestDatabase;
let storage: Storage;

beforeAll(async () => {
  database = await createDatabase();
  storage = await openStorage(loadConfig({ DATABASE_URL: database.url }), log);
  await poolOf(storage).query(`
    CREATE FUNCTION fail_with(code text) RETURNS int LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'as asked' USING ERRCODE = code; END $$`);
});

afterAll(async () => {
  await storage.close();
  await database.drop();
});

const cases: [code: string, trouble: Trouble, message: RegExp][] = [
  ['53300', 'busy', /busy: all database connections are in use/],
  ['53200', 'short', /not enough memory/],
  ['57014', 'late', /took too long/],
  ['40001', 'late', /took too long/],
  ['25006', 'read-only', /read-only copy/],
  ['53100', 'full', /no usable disk space/],
  ['58030', 'full', /no usable disk space/],
  ['57P01', 'gone', /cannot be reached/],
];

describe('trouble with the database is reported by its kind, as 503 with a time to try again', () => {
  test.each(cases)(
    'SQLSTATE %s is %s, through the pool and through Prisma',
    async (code, trouble, message) => {
      const text = `SELECT fail_with('${code}')`;
      for (const work of [poolOf(storage).query(text), storage.prisma.$queryRawUnsafe(text)]) {
        const error: unknown = await work.then(
          () => expect.fail('it did not fail'),
          (thrown: unknown) => thrown,
        );
        expect(troubleOf(error)).toBe(trouble);
        const shown = toAppError(error, log);
        expect([shown.code, shown.status]).toEqual(['SERVICE_UNAVAILABLE', 503]);
        expect(shown.message).toMatch(message);
        expect(shown.message).not.toContain('as asked');
        expect(shown.retryAfterSeconds).toBeGreaterThan(0);
      }
    },
  );

  test('a pool without a free connection is busy, and a statement of a reader that writes is read-only', async () => {
    const one = await openStorage(loadConfig({ DATABASE_URL: database.url, DATABASE_POOL: '1' }), log);
    const client = await holdConnection(one);
    await expect(poolOf(one).query('SELECT 1')).rejects.toSatisfy((error) => troubleOf(error) === 'busy');
    await client.query('SET default_transaction_read_only = on');
    await expect(client.query('CREATE TABLE thing ()')).rejects.toSatisfy(
      (error) => troubleOf(error) === 'read-only',
    );
    client.release(true);
    await one.close();
  });

  test('a transaction of Prisma that starts too late, or takes too long, is late', async () => {
    const one = await openStorage(loadConfig({ DATABASE_URL: database.url, DATABASE_POOL: '1' }), log);
    const slow = one.prisma.$transaction(
      async (transaction) => {
        await sleep(300);
        await transaction.installation.count();
      },
      { timeout: 100 },
    );
    const isLate = (error: unknown) => troubleOf(error) === 'late';
    await expect(slow).rejects.toSatisfy(isLate);
    const client = await holdConnection(one);
    const waiting = one.prisma.$transaction((transaction) => transaction.installation.count(), {
      maxWait: 50,
    });
    await expect(waiting).rejects.toSatisfy(isLate);
    client.release();
    await one.close();
  });
});
