import { Agent, request } from 'undici';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { listPath } from '../harness/keys.js';
import { askOnce, launchProcesses, valueIn, type SeveralProcesses } from '../harness/several-processes.js';

/** Of an address, in an hour. */
const LIMIT = 40;

let database: TestDatabase;
let gateway: SeveralProcesses;
/** A client whose connection is open already: a process that stands still accepts no new one. */
let client: Agent;

beforeAll(async () => {
  database = await createDatabase();
  gateway = await launchProcesses(2, {
    DATABASE_URL: database.url,
    SAMPLE: 'off',
    WORKER: 'off',
    TRUSTED_PROXIES: '127.0.0.1',
    PLANS: JSON.stringify({ anonymous: { requests: LIMIT, seconds: 3600, perDay: null } }),
  });
});
afterEach(async () => {
  for (const pid of [gateway.pid, ...gateway.pids().values()]) goOn(pid);
  await client?.destroy();
});
afterAll(async () => {
  await gateway?.stop();
  await database?.drop();
});

function goOn(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // The gateway killed it.
  }
}

/** @param caller an address of its own */
async function ask(caller: string, path = listPath): Promise<{ status: number; left: number; text: string }> {
  const reply = await request(gateway.url + path, {
    dispatcher: client,
    headers: { 'x-forwarded-for': caller },
    headersTimeout: 20_000,
    bodyTimeout: 20_000,
  });
  const text = await reply.body.text();
  return { status: reply.statusCode, left: Number(reply.headers['ratelimit-remaining']), text };
}

test('while the primary process stands still requests are answered, and limited by each process; then by all together', async () => {
  client = new Agent({ connections: 1, pipelining: 1 });
  const caller = '203.0.113.1';
  for (let number = 0; number < 5; number += 1) expect((await ask(caller)).status).toBe(200);
  process.kill(gateway.pid, 'SIGSTOP');
  const statuses = [];
  for (let number = 0; number < LIMIT + 1; number += 1) statuses.push((await ask(caller)).status);
  // Its own counts do not include the five.
  expect(statuses).toEqual([...Array.from({ length: LIMIT }, () => 200), 429]);
  const scrape = await ask('203.0.113.2', '/metrics');
  expect([scrape.status, JSON.parse(scrape.text)]).toEqual([
    503,
    expect.objectContaining({ message: expect.stringContaining('primary process') as string }),
  ]);
  goOn(gateway.pid);
  const together = async () => (await ask('203.0.113.3', '/metrics')).status;
  await expect.poll(together, { timeout: 60_000 }).toBe(200);
  // Five that it answered, and the one that was abandoned but arrived later.
  const after = [];
  for (let number = 0; number < LIMIT; number += 1) after.push((await ask(caller)).status);
  expect(after.filter((status) => status === 200).length).toBeGreaterThan(LIMIT - 10);
  expect(after.at(-1)).toBe(429);
  expect(gateway.output()).not.toContain('a process no longer answers');
});

test('a process that stands still for 3 s is let alone; one that does not come back is replaced, and the other answers', async () => {
  const pids = gateway.pids();
  const pid = pids.get(2)!;
  process.kill(pid, 'SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 3000));
  goOn(pid);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(gateway.pids().get(2)).toBe(pid);

  process.kill(pid, 'SIGSTOP');
  await expect.poll(() => gateway.pids().get(2) !== pid, { timeout: 120_000 }).toBe(true);
  expect(gateway.output()).toContain('a process no longer answers and is killed');
  expect(gateway.pids().get(1)).toBe(pids.get(1));
  const scrape = async () => (await askOnce(`${gateway.url}/metrics`)).text;
  await expect.poll(async () => valueIn(await scrape(), 'moraine_processes_serving')).toBe(2);
  expect(valueIn(await scrape(), 'moraine_processes_ended_total')).toBe(1);
  expect((await askOnce(gateway.url + listPath)).status).toBe(200);
});
