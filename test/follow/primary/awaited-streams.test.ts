import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PrimaryChain } from '../../../src/avalanche/networks.js';
import { AwaitedStreams, type OutputStream } from '../../../src/follow/primary/awaited-streams.js';
import type { Prisma } from '../../../src/generated/prisma/client.js';
import { until } from '../../harness/embedded.js';
import { createImportDatabase, type ImportDatabase } from '../../harness/ingest.js';

/** Nothing ends for want of time. */
const patient = { lookMs: 5, stillMs: 1e9, mostMs: 1e9 };

let database: ImportDatabase;
beforeAll(async () => {
  database = await createImportDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.storage.prisma.followPipeline.deleteMany();
});

/** Waits for outputs of these chains until they are there. */
function waitFor(others: AwaitedStreams, stream: OutputStream, ...chains: PrimaryChain[]) {
  const missing = new Set(chains);
  const state = { looks: 0, hasEnded: false };
  const context = { reader: database.storage, signal: AbortSignal.timeout(60_000) };
  const look = () => {
    state.looks += 1;
    return Promise.resolve(missing);
  };
  const ended = others.wait(stream, context, look).then(() => (state.hasEnded = true));
  const looked = async (times = 3) => {
    const before = state.looks;
    await until(() => Promise.resolve(state.looks >= before + times || state.hasEnded));
    return state.hasEnded;
  };
  return { ended, looked, state, found: () => missing.clear() };
}

async function followed(name: OutputStream, data: Partial<Prisma.FollowPipelineUncheckedCreateInput> = {}) {
  const begun = { network: 'fuji', name, firstHeight: 0n, nextHeight: 5n, head: 10n, counters: {} } as const;
  await database.storage.prisma.followPipeline.create({ data: { ...begun, state: 'following', ...data } });
}

async function moved(name: OutputStream, data: Prisma.FollowPipelineUncheckedUpdateInput) {
  await database.storage.prisma.followPipeline.updateMany({ where: { name }, data });
}

test('a stream waits for one that stores more, until it has what it looks for', async () => {
  await followed('x');
  const one = waitFor(new AwaitedStreams('fuji', patient), 'p', 'x');
  expect(await one.looked()).toBe(false);
  one.found();
  await one.ended;
});

test('it waits for the X-chain of before it had blocks too, and that one not for the X-chain', async () => {
  await followed('x-dag');
  const others = new AwaitedStreams('fuji', patient);
  const one = waitFor(others, 'x', 'x');
  expect(await one.looked()).toBe(false);
  await waitFor(others, 'x-dag', 'x').ended;
  one.found();
  await one.ended;
});

test.each<[string, Parameters<typeof followed>[1] | null]>([
  ['is left out', null],
  ['has stopped', { state: 'stopped' }],
  ['ended with its follower', { state: 'idle' }],
  ['is at its head', { nextHeight: 11n }],
  ['was begun in its middle', { firstHeight: 1n }],
  ['has no head yet', { head: null }],
])('it does not wait for one that %s', async (_, data) => {
  if (data) await followed('x', data);
  const one = waitFor(new AwaitedStreams('fuji', patient), 'p', 'x');
  await one.ended;
  expect(one.state.looks).toBe(1);
});

test('it no longer waits for one that comes to its head', async () => {
  await followed('x');
  const one = waitFor(new AwaitedStreams('fuji', patient), 'p', 'x');
  expect(await one.looked()).toBe(false);
  await moved('x', { nextHeight: 11n });
  await one.ended;
});

test('two that wait for each other: the second one asks its nodes, and the first one waits for it', async () => {
  await followed('p');
  await followed('x');
  const others = new AwaitedStreams('fuji', patient);
  const p = waitFor(others, 'p', 'x');
  expect(await p.looked()).toBe(false);
  await waitFor(others, 'x', 'p').ended;
  expect(await p.looked()).toBe(false);
  p.found();
  await p.ended;
});

test('one that has not looked since the other one began to wait may have found what it waits for: neither asks its nodes', async () => {
  await followed('p');
  await followed('x');
  const others = new AwaitedStreams('fuji', { ...patient, lookMs: 100 });
  const p = waitFor(others, 'p', 'x');
  expect(await p.looked(1)).toBe(false);
  // The batch of the X-chain has it.
  p.found();
  const x = waitFor(others, 'x', 'p');
  await p.ended;
  expect(await x.looked()).toBe(false);
  x.found();
  await x.ended;
});

test('three that wait in a ring: the last one asks its nodes', async () => {
  for (const name of ['p', 'x', 'c-atomic'] as const) await followed(name);
  const others = new AwaitedStreams('fuji', patient);
  const p = waitFor(others, 'p', 'x');
  const x = waitFor(others, 'x', 'c');
  expect(await x.looked()).toBe(false);
  await waitFor(others, 'c-atomic', 'p').ended;
  expect([await p.looked(), await x.looked()]).toEqual([false, false]);
  x.found();
  p.found();
  await Promise.all([p.ended, x.ended]);
});

test('one that waits for those in a ring, and began after them, does not ask: one of the ring will', async () => {
  for (const name of ['p', 'x', 'c-atomic'] as const) await followed(name);
  const others = new AwaitedStreams('fuji', { ...patient, lookMs: 300 });
  const p = waitFor(others, 'p', 'x');
  expect(await p.looked(1)).toBe(false);
  await pause(150);
  const x = waitFor(others, 'x', 'p');
  await pause(10);
  // Now each of the ring has looked since the other one began, and the last one has not found it yet.
  expect(await p.looked(1)).toBe(false);
  const c = waitFor(others, 'c-atomic', 'x');
  await x.ended;
  expect(await c.looked()).toBe(false);
  c.found();
  p.found();
  await Promise.all([c.ended, p.ended]);
});

test('one that waits for a third one is waited for as long as that one stores more', async () => {
  for (const name of ['p', 'x', 'c-atomic'] as const) await followed(name);
  const others = new AwaitedStreams('fuji', { ...patient, stillMs: 200 });
  const moving = setInterval(() => void moved('p', { nextHeight: { increment: 1n }, head: 1_000_000n }), 20);
  const x = waitFor(others, 'x', 'p');
  const c = waitFor(others, 'c-atomic', 'x');
  // Longer than it waits for one that stands still.
  expect([await x.looked(60), await c.looked(60)]).toEqual([false, false]);
  clearInterval(moving);
  await moved('p', { state: 'stopped' });
  await Promise.all([x.ended, c.ended]);
});

test('it does not wait for ever for one that stores nothing, nor for one that is far behind', async () => {
  await followed('x');
  const still = waitFor(new AwaitedStreams('fuji', { ...patient, stillMs: 50 }), 'p', 'x');
  await still.ended;
  const moving = setInterval(() => void moved('x', { nextHeight: { increment: 1n }, head: 1_000_000n }), 5);
  const behind = waitFor(new AwaitedStreams('fuji', { ...patient, mostMs: 100 }), 'p', 'x');
  await behind.ended;
  clearInterval(moving);
  expect(Math.min(still.state.looks, behind.state.looks)).toBeGreaterThan(1);
});
