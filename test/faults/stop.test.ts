import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dataFolder, type DataFolder } from '../harness/data-folder.js';
import {
  launch,
  served,
  serverRuns,
  type End,
  type Launched,
  STOP_DEADLINE_MS,
} from '../harness/launched.js';
import { serveJsonRpc } from '../harness/json-rpc.js';
import { serveHttp, type LoopbackServer } from '../harness/loopback.js';

const contract = `0x${'a1'.repeat(20)}`;
const list = '/v1/networks/fuji/blockchains/p-chain/utxos?includeSpent=true&pageSize=100';

let folder: DataFolder;
let rpc: LoopbackServer;
let silentWeb: LoopbackServer;
let called: () => void;
let gateway: Launched;
let url: string;

beforeAll(async () => {
  folder = await dataFolder();
  silentWeb = await serveHttp(() => called());
  rpc = await serveJsonRpc({ [contract]: { tokenURI: (id) => `${silentWeb.url}/${id}` } });
  await start();
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

async function expectStopped(end: End, { code = 0, env = {} } = {}): Promise<void> {
  expect({ ...end, milliseconds: 0 }, gateway.output()).toEqual({ code, signal: null, milliseconds: 0 });
  expect(end.milliseconds).toBeLessThan(STOP_DEADLINE_MS);
  expect(await serverRuns(folder.path)).toBe(false);
  await start(env);
  expect((await fetch(url + list)).status).toBe(200);
}

/** Holds every list of outputs until the server ends. */
async function holdOutputs(): Promise<pg.Client> {
  const client = await folder.connect();
  await client.query('BEGIN; LOCK TABLE utxo_owner IN ACCESS EXCLUSIVE MODE');
  return client;
}

async function inFlight(count: number): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    if (Number(/http_requests_in_flight (\d+)/.exec(metrics)?.[1]) >= count) return;
    await sleep(20);
  }
}

function open(text: string): { socket: Socket; reply: Promise<string> } {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let reply = '';
  socket.on('error', () => undefined).on('data', (data) => (reply += String(data)));
  socket.write(text);
  return { socket, reply: new Promise((resolve) => socket.once('close', () => resolve(reply))) };
}

function expectShutDown(reply: string): void {
  expect(reply).toMatch(/^HTTP\/1\.1 503 /);
  expect(reply).toMatch(/\r\nconnection: close\r\n/i);
  expect(JSON.parse(reply.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    statusCode: 503,
    error: 'Service Unavailable',
    message: expect.stringContaining('shutting down') as string,
  });
}

test('with nothing to do it stops, and twice the same Ctrl-C, as npm sends it, is one', async () => {
  gateway.send('SIGINT');
  await sleep(50);
  await expectStopped(await gateway.stop('SIGINT'));
});

test('a request that waits for the database is answered 503 and cut', async () => {
  const holder = await holdOutputs();
  const waiting = open(`GET ${list} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await inFlight(1);
  const end = await gateway.stop();
  expectShutDown(await waiting.reply);
  await holder.end().catch(() => undefined);
  await expectStopped(end);
});

test('a body that never comes keeps nothing from ending', async () => {
  const half = open(
    'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
  );
  await sleep(200);
  const end = await gateway.stop();
  await half.reply;
  await expectStopped(end);
});

test('a client that pipelines and never reads keeps nothing from ending', async () => {
  const { socket } = open(`GET ${list} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(300));
  socket.pause();
  await sleep(500);
  const end = await gateway.stop();
  socket.destroy();
  await expectStopped(end);
});

test('a job under way is handed back', async () => {
  const reached = new Promise<void>((resolve) => (called = resolve));
  const path = `/v1/chains/43113/nfts/collections/${contract}/tokens/7:reindex`;
  expect((await fetch(url + path, { method: 'POST' })).status).toBe(201);
  await reached;
  const end = await gateway.stop();
  await expectStopped(end, { env: { WORKER: 'off' } });
  const client = await folder.connect();
  const { rows } = await client.query(
    `SELECT metadata_status::text AS status FROM nft_token WHERE token_id = 7 AND address = decode($1, 'hex')`,
    [contract.slice(2)],
  );
  await client.end();
  expect(rows).toEqual([{ status: 'queued' }]);
});

test('a second signal ends it at once, PostgreSQL too, and is told by the exit code', async () => {
  const holder = await holdOutputs();
  const waiting = open(`GET ${list} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await inFlight(1);
  gateway.send('SIGTERM');
  await sleep(1000);
  const end = await gateway.stop('SIGINT');
  await waiting.reply;
  await holder.end().catch(() => undefined);
  // Not the orderly one, which the time for a stop brings as well.
  expect(await folder.shutdowns()).toEqual(['received immediate shutdown request']);
  await expectStopped(end, { code: 130 });
});
