import { createServer, type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { toAppError } from '../../src/failure.js';
import { openClient } from '../../src/storage/connection.js';
import { troubleOf } from '../../src/storage/errors.js';
import { openStorage, type Storage } from '../../src/storage/open.js';
import { poolOf } from '../harness/connections.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';

const log = pino({ level: 'silent' });

let database: TestDatabase;
let storage: Storage;
beforeEach(async () => {
  database = await createDatabase();
  storage = await openStorage(loadConfig({ DATABASE_URL: database.url, DATABASE_POOL: '1' }), log);
});
afterEach(async () => {
  await storage.close();
  await database.drop();
});

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

const textOf = (bytes: number) => `SELECT repeat('x', ${bytes}) AS text`;
const MIB = 1024 * 1024;

test.each<[string, (text: string) => Promise<unknown>, string]>([
  ['a read', (text) => storage.read({ name: 'large', text }, []), textOf(70 * MIB)],
  [
    'many rows of a read',
    (text) => storage.read({ name: 'rows', text }, []),
    `${textOf(MIB)} FROM generate_series(1, 70)`,
  ],
  ['a call of Prisma', (text) => storage.prisma.$queryRawUnsafe(text), textOf(70 * MIB)],
  ['a snapshot', (text) => storage.snapshot((connection) => connection.query(text)), textOf(70 * MIB)],
  // PostgreSQL has no text of a gibibyte.
  ['what the server cannot make', (text) => storage.read({ name: 'beyond', text }, []), textOf(1024 * MIB)],
])(
  '%s that would bring more than 64 MiB is refused as too much, and the next one is answered',
  async (_what, ask, text) => {
    expect(toAppError(await errorOf(ask(text)), log)).toMatchObject({
      code: 'QUERY_TOO_COMPLEX',
      status: 400,
    });
    expect(await storage.read({ name: 'small', text: textOf(3) }, [])).toEqual([{ text: 'xxx' }]);
    expect(poolOf(storage).totalCount).toBe(1);
  },
);

test('one request reads no more than that in all its statements together', async () => {
  const request = storage.of('anna');
  const read = () => request.read({ name: 'part', text: textOf(20 * MIB) }, []);
  for (let time = 0; time < 3; time += 1) expect(await read()).toHaveLength(1);
  for (let time = 0; time < 2; time += 1)
    expect(await errorOf(read())).toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
  expect(await storage.of('anna').read({ name: 'part', text: textOf(20 * MIB) }, [])).toHaveLength(1);
});

test('sessions of imports and exports may read more', async () => {
  const { rows } = await storage.session((session) => session.query<{ text: string }>(textOf(70 * MIB)));
  expect(rows[0]?.text).toHaveLength(70 * MIB);
});

// An error in a socket's handler would end this process, and the run with it.
test('a connection on which something is heard that cannot be read is given up', async () => {
  const ready = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
  // A row that announces a value, and ends.
  const broken = Buffer.from([0x44, 0, 0, 0, 6, 0, 1]);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(ready);
      socket.on('data', () => socket.write(broken));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const client = openClient({
    host: '127.0.0.1',
    port,
    user: 'anna',
    password: '',
    database: 'x',
    ssl: false,
  });
  await client.connect();
  expect(troubleOf(await errorOf(client.query('SELECT 1')))).toBe('gone');
  await client.end().catch(() => undefined);
  await new Promise((closed) => server.close(closed));
});
