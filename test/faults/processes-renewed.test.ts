import { rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type Database } from './harness/database.js';
import { watchRows } from './harness/rows.js';
import { send, type Answer } from './harness/send.js';
import { report } from './harness/table.js';
import { launchProcesses, type SeveralProcesses } from '../harness/several-processes.js';

/** While it exists a process in the second place ends long before it serves. */
const spoiled = join(tmpdir(), `moraine-spoiled-${process.pid}`);
const spoil = `
  import { existsSync } from 'node:fs';
  if (process.argv.at(-1) === '2' && existsSync('${spoiled}')) setTimeout(() => process.exit(7), 100);`;

let database: Database;
let gateway: SeveralProcesses;
beforeAll(async () => {
  database = await createDatabase();
  gateway = await launchProcesses(2, {
    DATABASE_URL: database.url,
    RATE_LIMITS: 'off',
    REQUEST_LOG: 'off',
    LOG_LEVEL: 'info',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(spoil)}`,
  });
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
  await rm(spoiled, { force: true });
});

function isGone(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

/** Sends SIGTERM to the process in a place, and waits until it is gone and another one listens there. */
async function renew(slot: number): Promise<void> {
  const old = gateway.pids().get(slot)!;
  process.kill(old, 'SIGTERM');
  await expect.poll(() => isGone(old) && gateway.pids().get(slot) !== old, { timeout: 120_000 }).toBe(true);
}

/** Clients that send one request after another, as fast as they are answered. */
function startClients(keepAlive: boolean): { answers: Answer[]; stop: () => Promise<void> } {
  const agent = new Agent({ keepAlive, maxSockets: 8 });
  const answers: Answer[] = [];
  let stopped = false;
  const running = Array.from({ length: 8 }, async () => {
    while (!stopped) answers.push(await send(gateway.url, { path: '/v1/chains' }, { agent }));
  });
  return {
    answers,
    async stop() {
      stopped = true;
      await Promise.all(running);
      agent.destroy();
    },
  };
}

/** Asks /ready, each time on a connection of its own; what else than 200 it was answered. */
function watchReady(): { stop: () => Promise<number[]> } {
  const others: number[] = [];
  let stopped = false;
  const watching = (async () => {
    for (; !stopped; await sleep(50)) {
      const { status } = await send(gateway.url, { path: '/ready' });
      if (status !== 200) others.push(status);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await watching;
      return others;
    },
  };
}

test.each([
  ['on kept connections', true],
  ['on a connection for each request', false],
])(
  'processes are renewed under load %s, and no request is refused or cut off',
  async (clients, keepAlive) => {
    const lost = await watchRows(database);
    const ready = watchReady();
    const load = startClients(keepAlive);
    await expect.poll(() => load.answers.length, { timeout: 60_000 }).toBeGreaterThan(100);
    for (const slot of [1, 2]) await renew(slot);
    await load.stop();
    const right = load.answers.filter(({ status }) => status === 200);
    const others = load.answers.filter(({ status }) => status !== 200);
    const cut = others.filter(({ broke }) => broke).length;
    report({
      fault: `two processes: SIGTERM to one and to the other, ${clients}`,
      sent: load.answers.length,
      right: right.length,
      refused: others.length - cut,
      cut,
      wrong: 0,
      lost: await lost(),
    });
    expect(others.map(({ status, text, broke }) => broke ?? `${status} ${text}`)).toEqual([]);
    expect(await ready.stop()).toEqual([]);
    expect(gateway.output()).not.toContain('is replaced');
  },
);

/**
 * Asks the process in the second place to end while none can take its place, and waits until one has tried.
 */
async function renewInVain(): Promise<number> {
  const old = gateway.pids().get(2)!;
  const before = gateway.output().length;
  await writeFile(spoiled, '');
  process.kill(old, 'SIGTERM');
  await expect
    .poll(() => gateway.output().slice(before), { timeout: 120_000 })
    .toContain('a replacement ended with code 7: the old process keeps serving until one is ready');
  return old;
}

test('one that is asked to end serves on while the next one cannot start, and ends when one can', async () => {
  const old = await renewInVain();
  for (let request = 0; request < 4; request += 1)
    expect(await send(gateway.url, { path: '/v1/chains' })).toMatchObject({ status: 200 });
  expect(process.kill(old, 0)).toBe(true);
  await rm(spoiled);
  await expect.poll(() => gateway.pids().get(2), { timeout: 120_000 }).not.toBe(old);
  await expect.poll(() => isGone(old), { timeout: 120_000 }).toBe(true);
});

test('a second signal ends it while the next one cannot start', async () => {
  const old = await renewInVain();
  // A second one within half a second counts as the first: npm repeats the terminal's.
  await sleep(600);
  process.kill(old, 'SIGTERM');
  await expect.poll(() => isGone(old), { timeout: 120_000 }).toBe(true);
  await rm(spoiled);
  await expect.poll(() => gateway.pids().get(2), { timeout: 120_000 }).not.toBe(old);
});
