import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startAlteredNode } from '../harness/altered-node.js';
import { connectTo } from '../harness/connections.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { excerptGenesis, excerptHeads, startExcerptNode } from '../harness/excerpt-node.js';
import { freePort } from '../harness/free-port.js';
import { launch, served, type Launched } from '../harness/launched.js';
import type { NodeServer } from '../harness/node-server.js';
import { hasRecordedNode, startRecordedNode } from '../harness/recorded-node.js';

let node: NodeServer;
let database: TestDatabase;
const launched: Launched[] = [];

beforeAll(async () => {
  [node, database] = await Promise.all([startExcerptNode(), createDatabase()]);
});

afterEach(async () => {
  for (const each of launched.splice(0)) if (!each.hasEnded()) await each.stop();
});

afterAll(async () => {
  await node.close();
  await database.drop();
});

function start(args: readonly string[], env: Record<string, string> = {}): Launched {
  const process = launch(args, { DATABASE_URL: database.url, ...env });
  launched.push(process);
  return process;
}

async function heights(): Promise<Record<string, number>> {
  const client = await connectTo(database.url);
  const { rows } = await client.query<{ name: string; next: number }>(
    'SELECT name, next_height::int AS next FROM follow_pipeline',
  );
  await client.end();
  return Object.fromEntries(rows.map(({ name, next }) => [name, next - 1]));
}

test('--check says what the node can fill, and writes nothing', async () => {
  const check = start(['follow', node.url, '--check', '--genesis', excerptGenesis]);
  expect(await check.ended).toMatchObject({ code: 0 });
  expect(check.output()).toMatch(/is avalanchego\/1/);
  expect(check.output()).toContain('The genesis file is that of its network.');
  expect(check.output()).toMatch(/follow refuses this network: .*Give --as fuji/);
  expect(await heights()).toEqual({});
});

test.runIf(hasRecordedNode)(
  '--check says that two nodes have an index in two orders, and refuses no network that follow takes',
  async () => {
    const indexed = await startRecordedNode('network-c');
    const [one, other] = [
      await startAlteredNode(indexed.url, () => null),
      await startAlteredNode(indexed.url, () => null),
    ];
    const several = /begin x-dag and x-vertices with the address of one of them alone/;
    const both = start(['follow', `${one.url},${other.url}`, '--check', '--as', 'fuji']);
    expect((await both.ended).code, both.output()).toBe(0);
    expect(both.output()).toMatch(several);
    expect(both.output()).not.toContain('refuses this network');
    const alone = start(['follow', one.url, '--check', '--as', 'fuji']);
    expect((await alone.ended).code, alone.output()).toBe(0);
    expect(alone.output()).not.toMatch(several);
    await Promise.all([one.close(), other.close(), indexed.close()]);
  },
);

test('--again takes several names, and --check speaks of the streams that are named alone', async () => {
  const again = start(['follow', node.url, '--check', '--only', 'p,x', '--again', 'p', 'logs', 'x,c-atomic']);
  expect(await again.ended).toMatchObject({ code: 0 });
  expect(again.output()).toMatch(/P-chain +from genesis/);
  expect(again.output()).not.toMatch(/internal transactions|atomic transactions|X-chain before/);
  const wrong = start(['follow', node.url, '--check', '--again', 'p', 'receipts']);
  expect(await wrong.ended).toMatchObject({ code: 1 });
  expect(wrong.output()).toContain('--again p receipts: receipts is not one of p, x-dag');
});

test('the address of the node may follow an option that takes several values, and two of them are refused', async () => {
  for (const args of [
    ['--again', 'p', node.url],
    ['--from', 'p=7', 'x=now', node.url],
    ['--token', 'all', node.url],
  ]) {
    const check = start(['follow', '--check', ...args]);
    expect((await check.ended).code, check.output()).toBe(0);
    expect(check.output()).toMatch(/is avalanchego\/1/);
  }
  const two = start(['follow', node.url, '--check', '--again', 'p', 'http://user:secret@127.0.0.1:1']);
  expect(await two.ended).toMatchObject({ code: 1 });
  expect(two.output()).toContain('Which node?');
  expect(two.output()).not.toContain('secret');
});

test('--genesis takes an address; one of another network, or that has none, is refused by name, and nothing is written', async () => {
  const given = readFileSync(excerptGenesis, 'utf8');
  const other = given.replace('"message": "', '"message": "another ');
  expect(other).not.toBe(given);
  const answers: Record<string, string> = { '/own.json': given, '/other.json': other, '/text': 'no genesis' };
  const files = createServer(({ url = '' }, response) => {
    const text = answers[url.replace(/\?.*/, '')];
    response.writeHead(text === undefined ? 404 : 200).end(text);
  });
  files.listen(0, '127.0.0.1');
  await once(files, 'listening');
  const { port } = files.address() as AddressInfo;
  const check = async (path: string, ...more: string[]) => {
    const genesis = `http://user:secret@127.0.0.1:${port}${path}?key=secret`;
    const run = start(['follow', node.url, '--as', 'fuji', '--genesis', genesis, ...more]);
    const { code } = await run.ended;
    expect(run.output()).not.toMatch(/^ {4}at |secret/m);
    return { code, said: run.output() };
  };
  expect(await check('/own.json', '--check')).toMatchObject({
    code: 0,
    said: expect.stringContaining('The genesis file is that of its network.') as string,
  });
  for (const [path, how, why] of [
    [
      '/other.json',
      '--check',
      /is the genesis of another network \(\w+\), and the node's network began with another/,
    ],
    ['/other.json', '--once', /is the genesis of another network/],
    ['/text', '--check', /is not a genesis file of avalanchego: it is not JSON/],
    ['/none', '--check', /answered 404 instead of a genesis file/],
  ] as const) {
    const { code, said } = await check(path, how);
    expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(why) as string });
    expect(said).toContain(`127.0.0.1:${port}`);
  }
  files.close();
  expect(await heights()).toEqual({});
});

test('a node that does not answer, a wrong address and none at all end a check with code 1', async () => {
  const silent = `http://user:secret@127.0.0.1:${await freePort()}`;
  for (const args of [[silent], ['ftp://127.0.0.1'], []]) {
    const check = start(['follow', ...args, '--check']);
    expect(await check.ended).toMatchObject({ code: 1 });
    expect(check.output()).not.toMatch(/^ {4}at |secret/m);
  }
});

test('--once stores all that the node has, and ends with 0; again it finds nothing to do', async () => {
  const args = ['follow', node.url, '--genesis', excerptGenesis, '--as', 'fuji', '--once'];
  // Fewer connections than streams.
  const first = start(args, { DATABASE_POOL: '2' });
  expect((await first.ended).code, first.output()).toBe(0);
  const { P, X, C } = excerptHeads;
  expect(await heights()).toEqual({ p: P, x: X, 'c-atomic': C });
  const again = start(args);
  expect((await again.ended).code, again.output()).toBe(0);
});

test('serve follows while it serves, /ready says so, and no follower is left when it stops', async () => {
  const gateway = start(['serve'], { FOLLOW: node.url, FOLLOW_GENESIS: excerptGenesis, FOLLOW_AS: 'fuji' });
  const url = await gateway.says(served);
  await gateway.says(/c-atomic: from block/);
  const ready = async () => (await fetch(`${url}/ready`)).text();
  while (!(await ready()).includes('fuji p: up to date')) await sleep(100);
  const followers = async () => {
    const client = await connectTo(database.url);
    const { rows } = await client.query<{ held: number }>(
      `SELECT count(*)::int AS held FROM pg_locks WHERE locktype = 'advisory' AND classid = 1836020420
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    await client.end();
    return rows[0]?.held;
  };
  expect(await followers()).toBe(3);
  expect(await gateway.stop()).toMatchObject({ code: 0 });
  expect(gateway.output()).not.toContain('loading the generated sample');
  expect(await followers()).toBe(0);
});
