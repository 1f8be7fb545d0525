import { existsSync, rmSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningServer } from '../../packages/embedded-postgres-server/src/index.js';
import {
  answers,
  openElsewhere,
  openHere,
  query,
  serverPid,
  temporaryFolder,
  until,
} from '../harness/embedded.js';
import { roomyFolder } from '../harness/roomy-folder.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataFolder: string;

beforeEach(async () => {
  folder = await temporaryFolder(await roomyFolder());
  dataFolder = join(folder.path, 'data');
});

afterEach(async () => {
  // What a failed test left running.
  if (existsSync(join(dataFolder, 'postgres', 'postmaster.pid'))) {
    await (await openHere({ dataFolder })).leave();
  }
  await folder.drop();
});

async function write(server: RunningServer): Promise<void> {
  await query(server.connection, 'CREATE TABLE IF NOT EXISTS kept (n int)');
  await query(server.connection, 'INSERT INTO kept VALUES (1)');
}

async function count(server: RunningServer): Promise<number | undefined> {
  return (await query<{ n: number }>(server.connection, 'SELECT count(*)::int AS n FROM kept'))[0]?.n;
}

test('the first start makes a cluster, leaving stops it and cleans up, and the next start finds the data', async () => {
  const first = await openHere({ dataFolder });
  await write(first);
  await first.leave();
  expect(await answers(first.connection)).toBe(false);
  expect(existsSync(first.connection.host)).toBe(false);
  expect(existsSync(join(dataFolder, 'postgres', 'postmaster.pid'))).toBe(false);

  const second = await openHere({ dataFolder });
  expect(await count(second)).toBe(1);
  await second.leave();
});

test('what killed first starts left is removed by a later one, unless one may still be at it', async () => {
  const hoursAgo = new Date(Date.now() - 7_200_000);
  const old = ['postgres-init-aB3dE6', 'postgresql-18.4.0.aB3dE6'];
  const others = ['postgres-init-gH7jK9', 'postgresql-17.2.0'];
  for (const name of [...old, ...others]) {
    await mkdir(join(dataFolder, name, 'cluster'), { recursive: true });
    if (name !== others[0]) await utimes(join(dataFolder, name), hoursAgo, hoursAgo);
  }
  const server = await openHere({ dataFolder });
  await server.leave();
  const left = await readdir(dataFolder);
  expect(left).toEqual(expect.arrayContaining(others));
  expect(left.filter((name) => old.includes(name))).toEqual([]);
});

test('text sorts by code units and nobody else can read the password', async () => {
  const server = await openHere({ dataFolder });
  const rows = await query<{ t: string }>(
    server.connection,
    `SELECT t FROM (VALUES ('a'), ('B'), ('_'), ('2')) v(t) ORDER BY t`,
  );
  expect(rows.map(({ t }) => t)).toEqual(['2', 'B', '_', 'a']);
  for (const file of ['postgres/moraine-password', 'postgres.log']) {
    expect((await stat(join(dataFolder, file))).mode & 0o077).toBe(0);
  }
  await expect(query({ ...server.connection, password: 'wrong' }, 'SELECT 1')).rejects.toThrow(/password/);
  await server.leave();
});

test('a second process joins the running server, and the last one out stops it', async () => {
  const here = await openHere({ dataFolder });
  const elsewhere = await openElsewhere({ dataFolder });
  expect(elsewhere.connection).toEqual(here.connection);
  await write(here);
  await here.leave();
  expect(await answers(here.connection)).toBe(true);
  await elsewhere.close();
  expect(await answers(here.connection)).toBe(false);
});

test('processes that start together on a new folder end up on one server', async () => {
  const servers = await Promise.all(Array.from({ length: 4 }, () => openHere({ dataFolder })));
  expect(new Set(servers.map(({ connection }) => connection.host)).size).toBe(1);
  expect((await readdir(dataFolder)).sort()).toEqual(['postgres', 'postgres.log']);
  await Promise.all(servers.map((server) => server.leave()));
  expect(servers[0] && (await answers(servers[0].connection))).toBe(false);
});

test('coming and going at the same moment never leaves a process without its server', async () => {
  await (await openHere({ dataFolder })).leave();
  async function visit(): Promise<void> {
    for (let round = 0; round < 6; round += 1) {
      const server = await openHere({ dataFolder });
      expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await server.leave();
    }
  }
  await Promise.all([visit(), visit(), visit()]);
  expect(existsSync(join(dataFolder, 'postgres', 'postmaster.pid'))).toBe(false);
});

test('a process that is killed leaves the server to those who still use it, and the last one stops it', async () => {
  const [first, second] = [await openElsewhere({ dataFolder }), await openElsewhere({ dataFolder })];
  const pid = await serverPid(dataFolder);
  await first.kill();
  await watchdogsAre(1);
  expect(await serverPid(dataFolder)).toBe(pid);
  expect(await answers(second.connection ?? {})).toBe(true);
  await second.kill();
  await watchdogsAre(0);
  expect(await answers(second.connection ?? {})).toBe(false);
  expect(existsSync(join(dataFolder, 'postgres', 'postmaster.pid'))).toBe(false);
  expect(await shutdownsIn(dataFolder)).toEqual(['received fast shutdown request']);
});

test('a process that is killed while it starts the server leaves none', async () => {
  await (await openElsewhere({ dataFolder })).close();
  const log = await readFile(join(dataFolder, 'postgres.log'), 'utf8');
  const starting = openElsewhere({ dataFolder });
  await until(async () => (await readFile(join(dataFolder, 'postgres.log'), 'utf8')) !== log);
  await watchdogsAre(1);
  for (const pid of await processesOf('storage-process.mjs')) process.kill(pid, 'SIGKILL');
  await starting;
  await watchdogsAre(0);
  expect(existsSync(join(dataFolder, 'postgres', 'postmaster.pid'))).toBe(false);
});

test('a process that leaves in order leaves no watchdog', async () => {
  const process = await openElsewhere({ dataFolder });
  await watchdogsAre(1);
  await process.close();
  await watchdogsAre(0);
});

test("PostgreSQL's variables of somebody's shell change nothing", async () => {
  const variables = {
    PGOPTIONS: '-c nonsense=1',
    PGHOST: '127.0.0.1',
    PGPORT: '1',
    PGUSER: 'nobody',
    PGDATABASE: 'nothing',
    PGPASSWORD: 'wrong',
    PGSSLMODE: 'verify-full',
    PGSSLNEGOTIATION: 'direct',
    PGSERVICE: 'nothing',
    PGTZ: 'Nowhere/Else',
    PGCLIENTENCODING: 'LATIN1',
    PGCLIENT_ENCODING: 'LATIN1',
    PGAPPNAME: 'psql',
    PGREPLICATION: 'true',
    PGDATA: '/nowhere',
    PGCONNECT_TIMEOUT: '1',
    PGDATESTYLE: 'German',
  };
  const { failure, connection, close } = await openElsewhere(
    { dataFolder },
    { env: { ...process.env, ...variables } },
  );
  expect(failure).toBeUndefined();
  expect(await answers(connection ?? {})).toBe(true);
  await close();
});

/** Waits until so many watchdogs watch the folder; only Linux lists processes so. */
async function watchdogsAre(count: number): Promise<void> {
  if (process.platform !== 'linux') return;
  await until(async () => (await processesOf('watchdog-child')).length === count);
}

/** The processes whose command lines name this and the data folder. */
async function processesOf(what: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids
    .filter((_, index) => [what, dataFolder].every((each) => lines[index]?.includes(each)))
    .map(Number);
}

async function shutdownsIn(folder: string): Promise<string[]> {
  const log = await readFile(join(folder, 'postgres.log'), 'utf8');
  return log.match(/received \w+ shutdown request/g) ?? [];
}

test('after the process and the server were killed, the next start recovers the data', async () => {
  const killed = await openElsewhere({ dataFolder });
  await query(killed.connection ?? {}, 'CREATE TABLE kept AS SELECT 1 AS n');
  await killed.kill();
  process.kill(await serverPid(dataFolder), 'SIGKILL');
  const next = await openHere({ dataFolder });
  expect(await count(next)).toBe(1);
  await next.leave();
  expect(existsSync(killed.connection?.host ?? '')).toBe(false);
});

test.each([
  ['', () => undefined],
  // Another process that ends at this moment stops the server, which removes the folder of its socket.
  [', although its folder was removed', (host: string) => rmSync(host, { recursive: true })],
] as const)(
  'a server that dies under a living process is started again at the same address%s',
  async (_, remove) => {
    const server = await openHere({ dataFolder });
    await write(server);
    const pid = await serverPid(dataFolder);
    process.kill(pid, 'SIGKILL');
    remove(server.connection.host);
    await until(async () => (await answers(server.connection)) && (await serverPid(dataFolder)) !== pid);
    expect(await count(server)).toBe(1);
    await server.leave();
    expect(await answers(server.connection)).toBe(false);
  },
);

test('a postmaster.pid with the number of an unrelated living process does not prevent the start', async () => {
  const killed = await openElsewhere({ dataFolder });
  await killed.kill();
  process.kill(await serverPid(dataFolder), 'SIGKILL');
  await until(async () => !(await answers(killed.connection ?? {})));
  const bystander = spawn('sleep', ['600'], { stdio: 'ignore' });
  try {
    const pidFile = join(dataFolder, 'postgres', 'postmaster.pid');
    const lines = (await readFile(pidFile, 'utf8')).split('\n');
    await writeFile(pidFile, [String(bystander.pid), ...lines.slice(1)].join('\n'));
    const next = await openHere({ dataFolder });
    expect(await answers(next.connection)).toBe(true);
    await next.leave();
    expect(existsSync(killed.connection?.host ?? '')).toBe(false);
  } finally {
    bystander.kill();
  }
});
