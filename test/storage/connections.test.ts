import { readdirSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { openStorage, type Storage } from '../../src/storage/open.js';
import { connectTo, createPool, poolOf } from '../harness/connections.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { until } from '../harness/embedded.js';

const root = resolve(import.meta.dirname, '../..');

let database: TestDatabase;
let storage: Storage;

beforeEach(async () => {
  database = await createDatabase();
  storage = await openStorage(loadConfig({ DATABASE_URL: database.url }), pino({ level: 'silent' }));
});

afterEach(async () => {
  await storage.close();
  await database.drop();
});

// An error event without a listener would end this process, and the run with it.
test('no connection that breaks ends the process, whoever holds it', async () => {
  const pool = createPool(database.url, 2);
  const single = await connectTo(database.url);
  const ended = new Promise((end) => single.once('end', end));
  await Promise.all([pool.query('SELECT 1'), poolOf(storage).query('SELECT 1')]);
  const lent = await Promise.all([pool.connect(), poolOf(storage).connect()]);
  const leaving = storage.spareConnection(async (client) => {
    const gone = new Promise((end) => (client as pg.Client).once('end', end));
    await client.query('SELECT 1');
    await database.drop();
    await gone;
  });
  await Promise.all([leaving, ended]);
  for (const client of lent) {
    await expect(client.query('SELECT 1')).rejects.toThrow();
    client.release();
  }
  await until(() => Promise.resolve(pool.totalCount + poolOf(storage).totalCount === 0));
  await pool.end();
});

test("the system probes every connection, the pool's and single ones, whose peer may have vanished", async () => {
  // Opening the storage has read with a connection, which was made before anybody looks.
  const older = await Promise.all(
    Array.from({ length: poolOf(storage).idleCount }, () => poolOf(storage).connect()),
  );
  const asked = vi.spyOn(Socket.prototype, 'setKeepAlive');
  onTestFinished(() => asked.mockRestore());
  const streams: unknown[] = [];
  const note = (client: unknown) =>
    streams.push((client as { connection: { stream: Socket } }).connection.stream);
  const single = await connectTo(database.url);
  note(single);
  const lent = await poolOf(storage).connect();
  note(lent);
  await storage.spareConnection((client) => Promise.resolve(note(client)));
  for (const client of [...older, lent]) client.release();
  await single.end();
  const calls = streams.map((stream) =>
    asked.mock.calls.filter((_, index) => asked.mock.contexts[index] === stream),
  );
  expect(calls).toEqual(streams.map(() => [[true, 10_000]]));
  expect(new Set(streams).size).toBe(3);
});

// Connections that end while their database is dropped get the error after their pool has released them.
test('nor does one that is just ending', async () => {
  for (let round = 0; round < 5; round += 1) {
    const other = await createDatabase({ migrated: false });
    const pool = createPool(other.url, 8);
    await Promise.all(Array.from({ length: 8 }, () => pool.query('SELECT pg_sleep(0.01)')));
    await Promise.all([pool.end(), other.drop()]);
  }
});

test('pools and clients of the driver are made in two files, which listen to their errors', () => {
  const makers = ['src', 'test', 'bench', 'bin'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => /\.m?ts$|\.mjs$/.test(file) && !file.startsWith(join('src', 'generated')))
      .filter((file) => {
        const text = readFileSync(join(root, file), 'utf8');
        return /new\s+pg\s*\.\s*(Pool|Client)\b|extends\s+pg\.(Pool|Client)\b|import\s+\{[^}]*\b(Pool|Client)\b[^}]*\}\s+from\s+'pg'/.test(
          text,
        );
      }),
  );
  expect(makers.sort()).toEqual(
    ['connection.ts', 'steady-client.ts'].map((file) => join('src', 'storage', file)),
  );
});
