import { once } from 'node:events';
import { readFile, readdir, readlink } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectTo } from '../harness/connections.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { launchProcesses, type SeveralProcesses } from '../harness/several-processes.js';
import { execute } from './harness/postgres.js';
import { watchRows } from './harness/rows.js';
import { report } from './harness/table.js';

const PROCESSES = 2;
const ROUNDS = 5;
const list = '/v1/networks/fuji/blockchains/p-chain/utxos?includeSpent=true';

let database: TestDatabase;
let gateway: SeveralProcesses;
beforeAll(async () => {
  database = await createDatabase({ sample: true });
  gateway = await launchProcesses(PROCESSES, {
    DATABASE_URL: database.url,
    SAMPLE: 'off',
    RATE_LIMITS: 'off',
    WORKER: 'off',
    DATABASE_POOL: '48',
    REQUEST_TIMEOUT_MS: '600000',
    STATEMENT_TIMEOUT_MS: '600000',
    KEEP_ALIVE_TIMEOUT_MS: '600000',
  });
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
});

/** What a client saw on a connection so far. */
interface Caller {
  socket: Socket;
  reply: string;
}

/** A connection on which a request is sent. */
async function call(path: string): Promise<Caller> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => undefined);
  const caller = { socket, reply: '' };
  socket.on('data', (data) => (caller.reply += String(data)));
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  return caller;
}

/** Sockets of a process whose client has closed, and which the process has not: they stay for ever. */
async function leftOpen(pid: number): Promise<number> {
  const links = await Promise.all(
    (await readdir(`/proc/${pid}/fd`)).map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')),
  );
  const table = await readFile(`/proc/${pid}/net/tcp`, 'utf8');
  const CLOSE_WAIT = '08';
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === CLOSE_WAIT && links.includes(`socket:[${inode}]`))
    .length;
}

/**
 * Callers of both processes: some with an idle connection, some that wait for an answer, and some that come
 * while one of the processes stands still: it is being handed one of them.
 */
async function callers(stopped: number): Promise<Record<'idle' | 'waiting' | 'handedOver', Caller[]>> {
  const calls = (count: number, path: string) => Promise.all(Array.from({ length: count }, () => call(path)));
  const idle = await calls(6, '/v1/chains');
  await expect.poll(() => idle.every(({ reply }) => reply.includes('\r\n\r\n'))).toBe(true);
  const waiting = await calls(6, list);
  // Until each process has taken its part of them.
  await sleep(500);
  process.kill(stopped, 'SIGSTOP');
  const handedOver = await calls(4, list);
  await sleep(500);
  return { idle, waiting, handedOver };
}

const closed = (some: readonly Caller[]) => some.filter(({ socket }) => socket.closed).length;

/** Callers that have neither an answer nor an end. */
const inTheDark = (some: readonly Caller[]) =>
  some.filter(({ socket, reply }) => !socket.closed && !reply.startsWith('HTTP/1.1 200')).length;

test('who is connected to a process that is killed hears of it, and the primary process keeps no socket', async () => {
  const lost = await watchRows({ query: (sql) => execute(database, sql) });
  const seen = { sent: 0, right: 0, cut: 0, wrong: 0 };
  const lock = await connectTo(database.url);
  for (let round = 0; round < ROUNDS; round += 1) {
    await lock.query('BEGIN; LOCK TABLE utxo_owner IN ACCESS EXCLUSIVE MODE');
    const killed = gateway.pids().get(1)!;
    const { idle, waiting, handedOver } = await callers(killed);
    process.kill(killed, 'SIGKILL');
    for (const some of [idle, waiting, handedOver])
      await expect.poll(() => closed(some), { timeout: 10_000 }).toBeGreaterThan(0);
    await lock.query('ROLLBACK');
    const all = [...idle, ...waiting, ...handedOver];
    await expect.poll(() => inTheDark(all), { timeout: 60_000 }).toBe(0);
    seen.sent += all.length;
    seen.cut += closed(all);
    seen.right += all.length - closed(all);
    for (const { socket } of all) socket.destroy();
    await sleep(200);
    expect(await leftOpen(gateway.pid)).toBe(0);
    await expect.poll(() => gateway.pids().get(1), { timeout: 120_000 }).not.toBe(killed);
  }
  await lock.end();
  report({
    fault: `two processes: one killed -9, ${ROUNDS} times`,
    ...seen,
    refused: 0,
    lost: await lost(),
    note: 'with idle, waiting and just accepted connections on it',
  });
});
