import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { NodeError } from '../../src/follow/node/error.js';
import { readPipelines } from '../../src/follow/status/status.js';
import { connectTo } from '../harness/connections.js';
import { until } from '../harness/embedded.js';
import { startFollower, startFollowerProcess, type TestFollower } from '../harness/follower.js';
import { GeneratedNode, GeneratedPipeline } from '../harness/generated-chain.js';
import { createImportDatabase, dumpLedger, type ImportDatabase } from '../harness/ingest.js';
import { idOf } from '../harness/ledger-rows.js';
import { Random } from '../harness/random.js';

/** Of the chain that most tests follow: no proposal, and enough for several batches. */
const HEAD = 2000n;

const databases: ImportDatabase[] = [];
const followers: TestFollower[] = [];
afterEach(async () => {
  await Promise.all(followers.splice(0).map((each) => each.stop()));
  await Promise.all(databases.splice(0).map((each) => each.close()));
});

async function openDatabase(): Promise<ImportDatabase> {
  const database = await createImportDatabase();
  databases.push(database);
  return database;
}

function start(...args: Parameters<typeof startFollower>): TestFollower {
  const follower = startFollower(...args);
  followers.push(follower);
  return follower;
}

async function rowOf({ storage }: ImportDatabase) {
  const [row] = await readPipelines(storage, Date.now());
  if (!row) throw new Error('nothing was followed');
  return row;
}

/** The rows of an uninterrupted run. */
let whole: Promise<Record<string, unknown[]>> | undefined;
function wholeDump(): Promise<Record<string, unknown[]>> {
  whole ??= (async () => {
    const database = await openDatabase();
    expect(
      await start(database.storage, [new GeneratedPipeline([new GeneratedNode('node', HEAD)])], {
        once: true,
      }).ended,
    ).toEqual([]);
    return dumpLedger(database.storage);
  })();
  return whole;
}

test('a chain is followed from its first block to the head that was found, and no batch ends on a proposal', async () => {
  const dump = await wholeDump();
  expect(dump['transaction']).toHaveLength(Number(HEAD) + 1);
  const database = await openDatabase();
  const node = new GeneratedNode('node', HEAD);
  node.faults.delayMs = 5;
  const pipeline = new GeneratedPipeline([node]);
  expect(await start(database.storage, [pipeline], { once: true }).ended).toEqual([]);
  expect(await dumpLedger(database.storage)).toEqual(dump);
  expect(pipeline.digested.length).toBeGreaterThan(1);
  expect(pipeline.digested.filter(([, last]) => !node.blockAt(last).mayEndBatch)).toEqual([]);
  const row = await rowOf(database);
  expect(row).toMatchObject({ next: HEAD + 1n, head: HEAD, behind: 0n, state: 'idle', note: null });
  expect(row.rows['transaction']).toBeGreaterThan(Number(HEAD));
});

test('at the head each block is stored as it comes, but a proposal with its decision', async () => {
  const database = await openDatabase();
  const node = new GeneratedNode('node', 4n);
  const pipeline = new GeneratedPipeline([node]);
  start(database.storage, [pipeline]);
  for (const head of [4n, 5n, 7n]) {
    node.head = head;
    await until(async () => (await rowOf(database).catch(() => null))?.next === head + 1n);
  }
  // Block 13 is a proposal: its decision may come at any moment, and is looked for as often as any new block.
  node.head = 13n;
  await until(async () => (await rowOf(database)).head === 13n);
  const { looks } = pipeline;
  const signal = AbortSignal.timeout(15_000);
  await until(() => Promise.resolve(signal.aborted || pipeline.looks >= looks + 4));
  expect(signal.aborted).toBe(false);
  expect((await rowOf(database)).next).toBe(13n);
  node.head = 14n;
  await until(async () => (await rowOf(database)).next === 15n);
  expect(pipeline.digested.slice(-1)).toEqual([[13n, 14n]]);
});

test('a follower that is killed at random moments goes on where it was: the same rows', async () => {
  const database = await openDatabase();
  const random = new Random(32);
  const given = { databaseUrl: database.url, head: Number(HEAD) };
  for (let kills = 0; kills < Number(process.env['FOLLOW_KILLS'] ?? 6); kills += 1) {
    const child = await startFollowerProcess(given);
    const ended = once(child, 'exit');
    await sleep(random.below(600));
    child.kill('SIGKILL');
    await ended;
  }
  const last = await startFollowerProcess(given);
  expect(await once(last, 'exit')).toEqual([0, null]);
  expect(await dumpLedger(database.storage)).toEqual(await wholeDump());
});

test('a follower that is started again vacuums its tables when they have grown, not because it is new', async () => {
  const database = await openDatabase();
  const vacuums = async () => {
    const [row] = await database.storage.prisma.$queryRaw<
      { count: bigint }[]
    >`SELECT vacuum_count AS count FROM pg_stat_user_tables WHERE relname = 'transaction'`;
    return Number(row?.count);
  };
  const followTo = async (head: bigint) => {
    const pipeline = new GeneratedPipeline([new GeneratedNode('node', head)]);
    expect(await start(database.storage, [pipeline], { once: true }).ended).toEqual([]);
    return vacuums();
  };
  const first = await followTo(12_000n);
  expect(first).toBeGreaterThan(0);
  expect(await followTo(13_150n)).toBe(first);
  expect(await followTo(16_000n)).toBeGreaterThan(first);
});

test('of two followers one works and the other stands by, and takes over', async () => {
  const database = await openDatabase();
  const nodes = [new GeneratedNode('one', HEAD), new GeneratedNode('two', HEAD)];
  const first = new GeneratedPipeline([nodes[0]!]);
  const second = new GeneratedPipeline([nodes[1]!]);
  nodes[0]!.faults.delayMs = 20;
  const one = start(database.storage, [first]);
  await until(() => Promise.resolve(first.digested.length > 0));
  const two = start(database.storage, [second], { once: true });
  await until(() => Promise.resolve(two.views[0]?.note !== null));
  expect(two.views[0]).toMatchObject({ state: 'standby', next: null });
  expect(second.digested).toEqual([]);
  await one.stop();
  expect(await two.ended).toEqual([]);
  expect(await dumpLedger(database.storage)).toEqual(await wholeDump());
});

test('a watermark that somebody else moved keeps a batch from being written', async () => {
  const database = await openDatabase();
  const node = new GeneratedNode('node', HEAD);
  const pipeline = new GeneratedPipeline([node]);
  const digest = pipeline.digest.bind(pipeline);
  let moved = false;
  pipeline.digest = async (blocks, context) => {
    const made = await digest(blocks, context);
    // As a follower whose lock was lost would do it, between our digest and our commit.
    if (!moved && blocks[0]!.height > 0n) {
      moved = true;
      const last = { lastId: node.blockAt(99n).id, nextHeight: 100n, memo: { last: '99' } };
      await database.storage.prisma.followPipeline.updateMany({ data: last });
    }
    return made;
  };
  node.faults.delayMs = 5;
  expect(await start(database.storage, [pipeline], { once: true }).ended).toEqual([]);
  const after = pipeline.digested.findIndex(([first]) => first === 100n);
  expect(after).toBeGreaterThan(0);
  expect((await rowOf(database)).next).toBe(HEAD + 1n);
});

test('a block whose parent is not ours is waited for with both ids, nothing of it is written, and the right one is', async () => {
  const database = await openDatabase();
  const node = new GeneratedNode('node', HEAD);
  node.faults.otherParentAt = 500n;
  const { views, ended } = start(database.storage, [new GeneratedPipeline([node])], { once: true });
  await until(() => Promise.resolve(views[0]?.state === 'waiting' && node.isAside));
  expect(views[0]?.note).toContain(idOf('chain block 499'));
  expect(views[0]?.note).toContain(idOf('chain block 499 other'));
  const { next, state, note } = await rowOf(database);
  expect(next).toBeLessThanOrEqual(500n);
  expect([state, note]).toEqual(['waiting', views[0]?.note]);
  node.faults = {};
  node.isAside = false;
  expect(await ended).toEqual([]);
  expect(await dumpLedger(database.storage)).toEqual(await wholeDump());
});

test('an endpoint with such a block is set aside while another one agrees', async () => {
  const database = await openDatabase();
  const [liar, honest] = [new GeneratedNode('liar', HEAD), new GeneratedNode('honest', HEAD)];
  liar.faults.otherParentAt = 500n;
  expect(
    await start(database.storage, [new GeneratedPipeline([liar, honest])], { once: true }).ended,
  ).toEqual([]);
  expect([liar.isAside, honest.isAside]).toEqual([true, false]);
  expect(await dumpLedger(database.storage)).toEqual(await wholeDump());
});

test('another block at a height that is stored is waited for with both ids', async () => {
  const database = await openDatabase();
  const node = new GeneratedNode('node', 100n);
  expect(await start(database.storage, [new GeneratedPipeline([node])], { once: true }).ended).toEqual([]);
  node.head = HEAD;
  node.faults.otherBlockAt = 100n;
  const { views } = start(database.storage, [new GeneratedPipeline([node])]);
  await until(() => Promise.resolve(views[0]?.state === 'waiting' && node.isAside));
  expect(views[0]?.note).toContain(idOf('chain block 100'));
  expect(views[0]?.note).toContain(idOf('chain block 100 other'));
  expect((await rowOf(database)).next).toBe(101n);
});

test('a node that is behind what is stored is waited for', async () => {
  const database = await openDatabase();
  const node = new GeneratedNode('node', 100n);
  expect(await start(database.storage, [new GeneratedPipeline([node])], { once: true }).ended).toEqual([]);
  node.head = 50n;
  const { views } = start(database.storage, [new GeneratedPipeline([node])]);
  await until(() => Promise.resolve(views[0]?.state === 'waiting'));
  expect(views[0]?.note).toContain('50');
  node.head = 110n;
  await until(async () => (await rowOf(database)).next === 111n);
});

test('an error of a node is waited out; a row of ours that is refused is left out and counted', async () => {
  const database = await openDatabase();
  const node = new GeneratedNode('node', HEAD);
  const error = () => new NodeError('wait', 'bootstrapping', 'the node is bootstrapping', 'node');
  node.faults = { failures: { times: 3, error }, wrongRowAt: 1500n };
  expect(await start(database.storage, [new GeneratedPipeline([node])], { once: true }).ended).toEqual([]);
  expect(node.faults.failures?.times).toBe(0);
  const { prisma } = database.storage;
  expect(await prisma.transaction.count({ where: { txHash: idOf('tx 1500') } })).toBe(0);
  expect((await prisma.followPipeline.findFirstOrThrow()).refusedRows).toBe(1n);
  expect((await rowOf(database)).next).toBe(HEAD + 1n);
});

test('a database that hangs up again and again is waited for: the same rows', async () => {
  const database = await openDatabase();
  const node = new GeneratedNode('node', HEAD);
  node.faults.delayMs = 20;
  const { ended } = start(database.storage, [new GeneratedPipeline([node])], { once: true });
  const admin = await connectTo(database.url);
  for (let times = 0; times < 5; times += 1) {
    await sleep(200);
    await admin.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  }
  await admin.end();
  expect(await ended).toEqual([]);
  expect(await dumpLedger(database.storage)).toEqual(await wholeDump());
});

test('a chain can be begun at a height, which is kept', async () => {
  const database = await openDatabase();
  const node = new GeneratedNode('node', 1001n);
  const begin = (from: bigint | 'now') => {
    const pipeline = new GeneratedPipeline([node]);
    const digest = pipeline.digest.bind(pipeline);
    pipeline.digest = (blocks, context) =>
      digest(blocks, { ...context, memo: context.memo ?? { last: String(blocks[0]!.height - 1n) } });
    return start(database.storage, [pipeline], { once: true, from: { p: from } });
  };
  expect(await begin(990n).ended).toEqual([]);
  expect(await rowOf(database)).toMatchObject({ first: 990n, next: 1002n });
  const [stopped] = await begin(5n).ended;
  expect(stopped?.why.message).toContain('was begun at height 990');
  node.head = 1003n;
  expect(await begin('now').ended).toEqual([]);
  expect(await rowOf(database)).toMatchObject({ first: 990n, next: 1004n });
});
