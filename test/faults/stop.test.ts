import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { dataFolder, type DataFolder } from '../harness/data-folder.js';
import { launch, served, serverRuns, STOP_DEADLINE_MS } from '../harness/launched.js';
import type { End, Launched } from '../harness/launched.js';
import { serveJsonRpc } from '../harness/json-rpc.js';
import { serveHttp, type LoopbackServer } from '../harness/loopback.js';
import { countInBurst, holdBodies, readNothing, resetPipelines } from './harness/attacks.js';
import { expectShutDown, inFlight, open } from './harness/client.js';
import { isClearRefusal } from './harness/probes.js';
import { inFolder, watchRows } from './harness/rows.js';
import { endsOf, report, type FaultRow } from './harness/table.js';

const contract = `0x${'a1'.repeat(20)}`;
const list = '/v1/networks/fuji/blockchains/p-chain/utxos?includeSpent=true&pageSize=100';

let folder: DataFolder;
let rpc: LoopbackServer;
let silentWeb: LoopbackServer;
let called: () => void;
let gateway: Launched;
let url: string;
let lost: () => Promise<number>;

beforeAll(async () => {
  folder = await dataFolder();
  // The sample together with a large transaction. An embedded database is a cluster like any other.
  await cp(join(inject('sampleServer').folder, 'postgres'), join(folder.path, 'postgres'), {
    recursive: true,
  });
  silentWeb = await serveHttp(() => called());
  rpc = await serveJsonRpc({ [contract]: { tokenURI: (id) => `${silentWeb.url}/${id}` } });
  await start();
  lost = await watchRows(inFolder(folder));
});
// Each test stops the gateway that the one before has started again.
beforeEach(async () => {
  if (gateway.hasEnded()) await start();
});
afterAll(async () => {
  await gateway.stop();
  await rpc.close();
  await silentWeb.close();
  await folder.drop();
});

async function start(env: Record<string, string> = {}): Promise<void> {
  gateway = launch(['serve'], {
    ...env,
    DATA_DIR: folder.path,
    RATE_LIMITS: 'off',
    RPC_URLS: JSON.stringify({ 43113: rpc.url }),
    FETCH_ALLOW_LOOPBACK: 'true',
  });
  url = await gateway.says(served);
}

/** The answers of clients until the gateway had ended. */
type Clients = Partial<Pick<FaultRow, 'sent' | 'right' | 'refused' | 'cut' | 'wrong' | 'note'>>;

/** It has ended as it should, no PostgreSQL is left, and started again it serves all its data. */
async function expectStopped(
  end: End,
  {
    fault,
    clients = {},
    code = 0,
    env = {},
  }: { fault: string; clients?: Clients; code?: number; env?: object },
): Promise<void> {
  expect({ ...end, milliseconds: 0 }, gateway.output()).toEqual({ code, signal: null, milliseconds: 0 });
  expect(end.milliseconds).toBeLessThan(STOP_DEADLINE_MS);
  // PostgreSQL removes its file a moment before its process has ended.
  await expect
    .poll(() => serverRuns(folder.path), { timeout: 10_000, message: gateway.output() })
    .toBe(false);
  const ended = performance.now();
  await start({ ...env });
  const { status } = await fetch(url + list);
  const recoverMs = performance.now() - ended;
  const { sent = 0, right = 0, refused = 0, wrong = 0 } = clients;
  report({
    ...clients,
    fault: `stop: ${fault}`,
    refused,
    recoverMs,
    lost: await lost(),
    ...endsOf(end),
    // The first request of the gateway that was started again is one of them.
    sent: sent + 1,
    right: right + Number(status === 200),
    wrong: wrong + Number(status !== 200),
  });
  expect(status).toBe(200);
  expect(wrong).toBe(0);
}

/** Delays every list of outputs until the server ends. */
async function holdOutputs(): Promise<pg.Client> {
  const client = await folder.connect();
  await client.query('BEGIN; LOCK TABLE utxo_owner IN ACCESS EXCLUSIVE MODE');
  return client;
}

test('with nothing to do it stops, and twice the same Ctrl-C, as npm sends it, is one', async () => {
  gateway.send('SIGINT');
  await sleep(50);
  await expectStopped(await gateway.stop('SIGINT'), { fault: 'nothing to do, SIGINT twice' });
});

test('a request that waits for the database is answered 503 and cut', async () => {
  const holder = await holdOutputs();
  const waiting = open(url, `GET ${list} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await inFlight(url, 1);
  const end = await gateway.stop();
  expectShutDown(await waiting.reply);
  await holder.end().catch(() => undefined);
  await expectStopped(end, { fault: 'a request waits for the database', clients: { sent: 1, refused: 1 } });
});

test('a body that never comes keeps nothing from ending', async () => {
  const half = open(
    url,
    'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
  );
  await sleep(200);
  const end = await gateway.stop();
  await half.reply;
  await expectStopped(end, { fault: 'one half-open body', clients: { sent: 1, cut: 1 } });
});

test('a client that pipelines and never reads keeps nothing from ending', async () => {
  const { socket } = open(url, `GET ${list} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(300));
  socket.pause();
  await sleep(500);
  const end = await gateway.stop();
  socket.destroy();
  await expectStopped(end, { fault: 'a client pipelines and never reads', clients: { sent: 300, cut: 300 } });
});

test('a job under way is handed back', async () => {
  const reached = new Promise<void>((resolve) => (called = resolve));
  const path = `/v1/chains/43113/nfts/collections/${contract}/tokens/7:reindex`;
  expect((await fetch(url + path, { method: 'POST' })).status).toBe(201);
  await reached;
  const end = await gateway.stop();
  await expectStopped(end, {
    fault: 'a metadata job is under way',
    clients: { sent: 1, right: 1 },
    env: { WORKER: 'off' },
  });
  const client = await folder.connect();
  const { rows } = await client.query(
    `SELECT metadata_status::text AS status FROM nft_token WHERE token_id = 7 AND address = decode($1, 'hex')`,
    [contract.slice(2)],
  );
  await client.end();
  expect(rows).toEqual([{ status: 'queued' }]);
});

test.each([
  { name: '300 half-open bodies', begin: holdBodies, enough: 100 },
  { name: '300 slow readers', begin: readNothing, enough: 30 },
  { name: 'pipelined requests, reset', begin: resetPipelines, enough: 10 },
])('under $name it ends in time, and starts again', async ({ name, begin, enough }) => {
  const attack = begin(url);
  await expect.poll(() => attack.under, { timeout: 120_000 }).toBeGreaterThanOrEqual(enough);
  await sleep(1000);
  const { under } = attack;
  const end = await gateway.stop();
  await attack.stop();
  const note = `${under} ${begin === resetPipelines ? 'rounds of 8 connections' : 'connections held'} at the signal`;
  await expectStopped(end, { fault: name, clients: { note } });
});

test('under a burst of 199 documents of counts it ends in time, and starts again', async () => {
  const burst = countInBurst(url);
  await inFlight(url, 8);
  const end = await gateway.stop();
  const answers = await burst;
  const count = (which: (answer: (typeof answers)[number]) => boolean) => answers.filter(which).length;
  const right = count(({ status, text }) => status === 200 && !text.includes('"errors"'));
  const refused = count((answer) => isClearRefusal({ path: '/graphql', post: '' }, answer));
  const cut = count(({ broke }) => broke !== undefined);
  const wrong = answers.length - right - refused - cut;
  const clients = { sent: answers.length, right, refused, cut, wrong };
  await expectStopped(end, { fault: '199 documents of 10 counts each at once', clients });
});

test('a second signal ends it at once, PostgreSQL too, and the exit code shows it', async () => {
  const holder = await holdOutputs();
  const waiting = open(url, `GET ${list} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await inFlight(url, 1);
  gateway.send('SIGTERM');
  await sleep(1000);
  const end = await gateway.stop('SIGINT');
  await waiting.reply;
  await holder.end().catch(() => undefined);
  // Not the orderly end, which comes after the time for a stop as well.
  expect(await folder.shutdowns()).toEqual(['received immediate shutdown request']);
  expect(end.milliseconds).toBeLessThan(STOP_DEADLINE_MS);
  const clients = { sent: 1, cut: 1 };
  await expectStopped(end, { fault: 'a second signal', clients, code: 130 });
});
