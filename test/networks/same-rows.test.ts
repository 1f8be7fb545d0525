import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import type { StreamName } from '../../src/config/follow-settings.js';
import { until } from '../harness/embedded.js';
import { excerptGenesis, excerptHeads, startExcerptNode } from '../harness/excerpt-node.js';
import { excerptFilling, followOnce, startFollowing } from '../harness/followed.js';
import { dumpFollowed, dumpOf } from '../harness/followed-dump.js';
import { createImportDatabase, type ImportDatabase } from '../harness/ingest.js';
import { launch, type Launched } from '../harness/launched.js';
import type { Heads, NodeServer } from '../harness/node-server.js';

let node: NodeServer;
/** The rows of an uninterrupted run. */
let whole: Record<string, unknown[]>;
let database: ImportDatabase;
const launched: Launched[] = [];

beforeAll(async () => {
  whole = await dumpOf(excerptFilling);
  node = await startExcerptNode();
});

afterEach(async () => {
  for (const each of launched.splice(0)) if (!each.hasEnded()) await each.stop('SIGKILL');
  Object.assign(node.heads, excerptHeads);
  await database.close();
});

afterAll(async () => {
  await node.close();
  adoptIdentities({});
});

const all = () => ({ urls: [node.url], genesis: excerptGenesis });

test.each<StreamName[]>([
  ['p', 'x', 'c-atomic'],
  ['p', 'c-atomic', 'x'],
  ['x', 'p', 'c-atomic'],
  ['x', 'c-atomic', 'p'],
  ['c-atomic', 'p', 'x'],
  ['c-atomic', 'x', 'p'],
])('%s, then %s, then %s, each to its end before the next begins: the same rows', async (...order) => {
  database = await createImportDatabase();
  for (const name of order)
    expect(await followOnce(database.storage, { ...all(), only: [name] })).toEqual([]);
  expect(await dumpFollowed(database.storage)).toEqual(whole);
});

test.each<[StreamName, keyof Heads]>([
  ['p', 'P'],
  ['x', 'X'],
  ['c-atomic', 'C'],
])('%s paused half-way until the others have ended: the same rows', async (name, chain) => {
  database = await createImportDatabase();
  node.heads[chain] = Math.floor(excerptHeads[chain] / 2);
  const others = (['p', 'x', 'c-atomic'] as const).filter((each) => each !== name);
  for (const only of [[name], others, [name]]) {
    expect(await followOnce(database.storage, { ...all(), only })).toEqual([]);
    node.heads[chain] = excerptHeads[chain];
  }
  expect(await dumpFollowed(database.storage)).toEqual(whole);
});

test('heads that grow block by block: the same rows', async () => {
  database = await createImportDatabase();
  const { P, X, C } = excerptHeads;
  Object.assign(node.heads, { P: P - 60, X: X - 40, C: C - 40 });
  const following = await startFollowing(database.storage, all());
  for (let step = 0; step < 60; step += 1) {
    await sleep(30);
    for (const chain of ['P', 'X', 'C'] as const)
      node.heads[chain] = Math.min(excerptHeads[chain], node.heads[chain] + 1);
  }
  const ends = { p: P, x: X, 'c-atomic': C } as Record<string, number>;
  await until(() =>
    Promise.resolve(following.views.every(({ name, next }) => next === BigInt(ends[name] ?? NaN) + 1n)),
  );
  expect(await following.stop()).toEqual([]);
  expect(await dumpFollowed(database.storage)).toEqual(whole);
});

test('two `moraine follow` at once: one works, the other one finds nothing left to do, and the rows are the same', async () => {
  database = await createImportDatabase();
  const start = () => {
    const args = ['follow', node.url, '--genesis', excerptGenesis, '--as', 'fuji', '--once'];
    const follower = launch(args, { DATABASE_URL: database.url });
    launched.push(follower);
    return follower;
  };
  const [one, two] = [start(), start()];
  for (const each of [one, two]) expect((await each.ended).code, each.output()).toBe(0);
  expect(await dumpFollowed(database.storage)).toEqual(whole);
});
