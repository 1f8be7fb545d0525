import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Abandon } from '../../src/storage/abandon.js';
import { read } from '../../src/storage/read.js';
import { ReplyTooLarge } from '../../src/storage/reply-bytes.js';
import { SLOW_MS } from '../../src/storage/shared-connection.js';
import { SharedReads } from '../../src/storage/shared-reads.js';
import { documentStatement } from '../../src/storage/statement.js';
import { createPool } from '../harness/connections.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { until } from '../harness/raw-client.js';

let database: TestDatabase;
let pool: pg.Pool;
beforeEach(async () => {
  database = await createDatabase({ migrated: false });
  pool = createPool(database.url, 6);
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

/** Gives back its second parameter after so many seconds, unless the third is 0, by which it divides. */
const waiting = {
  name: 'waiting',
  text: 'SELECT pg_sleep($1::float)::text AS slept, $2::int / $3::int * $3::int AS given, pg_backend_pid() AS pid',
};
interface Waited {
  given: number;
  pid: number;
}
const wait = (seconds: number, given: number, abandon?: Abandon, divisor = 1) =>
  read<Waited>(pool, waiting, [seconds, given, divisor], abandon).then((rows) => rows[0] as Waited);

/** Runs reads one after the other until one shares its connection. */
async function untilShared(): Promise<void> {
  const { figures } = SharedReads.of(pool);
  // A busy machine may make the first ones slow.
  for (let round = 0; round < 200 && figures.connections === 0; round += 1) await wait(0, round);
  expect(figures.connections).toBeGreaterThan(0);
}

/** Whether nothing of the pool is lent, soon. */
const allReturned = () => until(() => Promise.resolve(pool.idleCount === pool.totalCount));

test('short reads share connections, and each gets its own rows', async () => {
  await untilShared();
  const numbers = Array.from({ length: 10 }, (_, index) => index);
  for (let round = 0; round < 20; round += 1) {
    const rows = await Promise.all(numbers.map((given) => wait(0, 10 * round + given)));
    expect(rows.map(({ given }) => given - 10 * round)).toEqual(numbers);
  }
  expect(SharedReads.of(pool).figures.reads).toBeGreaterThan(20);
  expect(pool.totalCount).toBeLessThanOrEqual(6);
  expect(await allReturned()).toBe(true);
  expect(SharedReads.of(pool).figures.connections).toBe(0);
});

test('connections are shared while more callers than connections never stop to read', async () => {
  const { figures } = SharedReads.of(pool);
  const caller = async (given: number) => {
    for (let round = 0; round < 200 && figures.reads < 1000; round += 1)
      expect((await wait(0, given)).given).toBe(given);
  };
  await Promise.all(Array.from({ length: 60 }, (_, given) => caller(given)));
  expect(figures.reads).toBeGreaterThanOrEqual(1000);
  expect(await allReturned()).toBe(true);
});

test('a read that takes ten seconds keeps no other read waiting longer than its bound', async () => {
  await untilShared();
  const abandon = new Abandon();
  const slow = wait(10, -1, abandon).catch((error: unknown) => error);
  const numbers = Array.from({ length: 10 }, (_, index) => index);
  const start = performance.now();
  const rows = await Promise.all(numbers.map((given) => wait(0, given)));
  expect(rows.map(({ given }) => given)).toEqual(numbers);
  expect(SharedReads.of(pool).figures.again).toBeGreaterThan(0);
  // A look at the connections every SLOW_MS finds what has been slow for as long; and three times that.
  expect(performance.now() - start).toBeLessThan(3 * 2 * SLOW_MS);
  abandon.abort(new Error('nobody waits'));
  expect(await slow).toEqual(new Error('nobody waits'));
  expect(await allReturned()).toBe(true);
});

test('an abandoned read on a shared connection ends in the server, and no other read with it', async () => {
  await untilShared();
  const abandon = new Abandon();
  const slow = wait(60, -1, abandon).catch((error: unknown) => error);
  const others = Promise.all([1, 2, 3, 4].map((given) => wait(0, given)));
  abandon.abort(new Error('nobody waits'));
  expect((await others).map(({ given }) => given)).toEqual([1, 2, 3, 4]);
  expect(await slow).toEqual(new Error('nobody waits'));
  const sleeping = `SELECT FROM pg_stat_activity WHERE state = 'active' AND wait_event = 'PgSleep' AND datname = current_database()`;
  expect(await until(async () => (await pool.query(sleeping)).rowCount === 0)).toBe(true);
  expect(await allReturned()).toBe(true);
});

test('an error of one read leaves the others alone', async () => {
  await untilShared();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) => wait(0, index, undefined, index % 3)),
  );
  for (const [index, outcome] of outcomes.entries())
    if (index % 3 === 0) expect(outcome).toMatchObject({ reason: { code: '22012' } });
    else expect(outcome).toMatchObject({ value: { given: Math.trunc(index / (index % 3)) * (index % 3) } });
});

test('a reply that is too large fails alone, although its connection is lost', async () => {
  const long = { name: 'long', text: `SELECT repeat('x', $1::int) AS text` };
  const { figures } = SharedReads.of(pool);
  for (let round = 0; round < 200 && figures.connections === 0; round += 1) await read(pool, long, [1]);
  const outcomes = await Promise.allSettled(
    [1, 70_000_000, 2, 3, 4, 5, 6].map((length) => read<{ text: string }>(pool, long, [length])),
  );
  const found = outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value[0]?.text.length : outcome.reason instanceof ReplyTooLarge,
  );
  expect(found).toEqual([1, true, 2, 3, 4, 5, 6]);
});

test('a connection that is lost fails the reads on it, and later reads have others', async () => {
  await untilShared();
  const lost = [1, 2, 3].map((given) => wait(0.04, given).catch((error: unknown) => error as Error));
  await pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE pid <> pg_backend_pid() AND state = 'active' AND datname = current_database()`,
  );
  for (const outcome of await Promise.all(lost))
    if (outcome instanceof Error) expect(outcome.message).toMatch(/terminat/);
  expect((await wait(0, 7)).given).toBe(7);
  expect(await allReturned()).toBe(true);
});

test('a shared connection that is lost while it is idle gets no reads', async () => {
  const others = createPool(database.url, 1);
  try {
    for (let round = 0; round < 5; round += 1) {
      await untilShared();
      await others.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE pid <> pg_backend_pid() AND datname = current_database()`,
      );
      await sleep(10);
      expect((await wait(0, round)).given).toBe(round);
    }
  } finally {
    await others.end();
  }
});

test('what a shared connection keeps prepared is bounded, as on any other', async () => {
  const texts = Array.from({ length: 40 }, (_, given) =>
    documentStatement('client', `SELECT ${given} AS given /*${'.'.repeat(12_000)}*/`),
  );
  await untilShared();
  for (const each of texts) for (let run = 0; run < 4; run += 1) await read(pool, each, []);
  const rounds = await Promise.all(texts.map((each) => read<{ given: number }>(pool, each, [])));
  expect(rounds.map(([row]) => row?.given)).toEqual(texts.map((_, given) => given));
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_prepared_statements WHERE name LIKE 'operation:%'`,
    );
    // 16 MiB, by 160 bytes a character.
    expect(rows[0]?.count).toBeLessThanOrEqual(8);
  } finally {
    client.release();
  }
});

test('a pool of fewer than four connections shares none', async () => {
  const small = createPool(database.url, 3);
  try {
    for (let round = 0; round < 20; round += 1) await read(small, waiting, [0, round, 1]);
    expect(SharedReads.of(small).figures).toEqual({ connections: 0, reads: 0, again: 0 });
  } finally {
    await small.end();
  }
});

test('whatever is slow, fails or is abandoned, every other read gets its own rows', async () => {
  const step = fc.record({
    seconds: fc.constantFrom(0, 0, 0, 0, 0, 0.002, 0.02, 0.08, 0.2),
    divisor: fc.constantFrom(1, 1, 1, 1, 0),
    leaves: fc.constantFrom(null, null, null, 0, 5, 60),
    pause: fc.constantFrom(0, 0, 0, 1, 10),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
      const running: Promise<void>[] = [];
      for (const [given, { seconds, divisor, leaves, pause }] of steps.entries()) {
        const abandon = new Abandon();
        const outcome = wait(seconds, given, abandon, divisor).then(
          (row) => row.given,
          (error: unknown) => error,
        );
        if (leaves !== null) void sleep(leaves).then(() => abandon.abort(new Error('left')));
        running.push(
          outcome.then((found) => {
            if (typeof found === 'number') expect(found).toBe(given);
            else if (divisor === 0 && leaves === null) expect(found).toMatchObject({ code: '22012' });
            else if (divisor !== 0) expect([leaves === null, String(found)]).toEqual([false, 'Error: left']);
          }),
        );
        if (pause > 0) await sleep(pause);
      }
      await Promise.all(running);
      expect(await allReturned()).toBe(true);
    }),
    { numRuns: 40 },
  );
}, 60_000);
