import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { openDatabase } from '../../src/open-database.js';
import { createApp, type RestReply, type TestApp } from '../harness/app.js';
import { freshList, freshPage } from '../harness/fresh-page.js';
import { serveJsonRpc } from '../harness/json-rpc.js';
import { makeKey } from '../harness/keys.js';
import { captureLog, type CapturedLog } from '../harness/log.js';
import type { LoopbackServer } from '../harness/loopback.js';
import { startMoraine } from '../harness/moraine.js';
import { none, reindex } from '../harness/nft-api.js';
import { openProxy } from '../harness/proxy.js';
import { openReplication, type Replication } from '../harness/standby.js';
import { poolOf } from '../harness/connections.js';

/**
 * By what a primary says that its log follows (PostgreSQL documentation, "Message Formats",
 * CopyBothResponse).
 */
const COPY_BOTH = Buffer.from('W\0\0\0\x07\0\0\0', 'latin1');

let replication: Replication;
let rpc: LoopbackServer;
let primary: TestApp;
let standby: TestApp;
let captured: CapturedLog;

beforeAll(async () => {
  replication = await openReplication();
  rpc = await serveJsonRpc({});
  primary = await createApp({}, { reach: () => replication.primaryUrl });
  await replication.caughtUp();
  const settings = { MIGRATE: 'off', WORKER: 'on', RPC_URLS: JSON.stringify({ 43113: rpc.url }) };
  captured = captureLog();
  standby = await createApp(settings, { log: captured.log, reach: () => replication.standbyUrl });
});

afterAll(async () => {
  await standby?.close();
  await primary?.close();
  await rpc?.close();
  await replication?.close();
});

function expectBehind({ status, headers, body }: RestReply): void {
  expect([status, body]).toMatchObject([503, { statusCode: 503, error: 'Service Unavailable' }]);
  expect(JSON.stringify(body)).toContain('behind');
  expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
}

test('moraine serve works on an empty standby alone, with nothing set but its address and MIGRATE=off', async () => {
  const env = { DATABASE_URL: replication.standbyUrl, MIGRATE: 'off', PORT: '0', LOG_LEVEL: 'warn' };
  const gateway = await startMoraine('serve', env, /http:\/\/127\.0\.0\.1:\d+(?=\/$)/);
  expect((await fetch(`${gateway.ready}${freshList}`)).status).toBe(200);
  expect(await gateway.stop()).toBe(0);
});

describe('a page token on a hot standby', () => {
  test('whose row was received and not yet applied is 503, and a page as soon as it is applied', async () => {
    await replication.pause();
    const page = await freshPage(primary, 'late');
    // The primary waits for nobody: the row may be on its way still.
    await expect.poll(async () => (await standby.get(page)).status, { timeout: 20_000 }).toBe(503);
    expectBehind(await standby.get(page));
    await replication.resume();
    await replication.caughtUp();
    expect((await standby.get(page)).status).toBe(200);
  });

  test('whose row is on its way while the receiver has come back and heard nothing yet is 503', async () => {
    await replication.caughtUp();
    await replication.detach();
    const page = await freshPage(primary, 'away');
    const network = await openProxy(replication.primaryUrl);
    network.swallowBehind(COPY_BOTH);
    try {
      await replication.attachBy(network.url);
      expectBehind(await standby.get(page));
    } finally {
      await network.close();
      await replication.attach();
    }
    await replication.caughtUp();
    expect((await standby.get(page)).status).toBe(200);
  });

  test('whose row is gone is 400 as everywhere, and 503 while nothing is received', async () => {
    const page = await freshPage(primary, 'gone');
    await poolOf(primary.storage).query('TRUNCATE utxo, utxo_owner, address_balance CASCADE');
    await replication.caughtUp();
    await expect.poll(async () => (await standby.get(page)).status, { timeout: 20_000 }).toBe(400);
    expect(JSON.stringify((await standby.get(page)).body)).toContain('an import has removed or moved');
    expect((await primary.get(page)).status).toBe(400);
    await replication.detach();
    expectBehind(await standby.get(page));
    expect((await standby.get(freshList)).status).toBe(200);
    await replication.attach();
    await expect.poll(async () => (await standby.get(page)).status, { timeout: 20_000 }).toBe(400);
  });
});

describe('a gateway on a hot standby', () => {
  test('says once that it takes no jobs', () => {
    const lines = captured.lines.filter(({ msg }) => msg.includes('runs no '));
    expect(lines).toHaveLength(1);
  });

  test('refuses to change anything with 503 and says why', async () => {
    const { errors } = await reindex(standby, '43113', none, '1');
    expect(errors).toMatchObject([
      {
        message: expect.stringContaining('read-only') as string,
        extensions: { code: 'SERVICE_UNAVAILABLE' },
      },
    ]);
  });

  test('forgets the last use of keys, and says so once', async () => {
    const { key, record } = await makeKey(primary, 'free');
    await replication.caughtUp();
    const { accessControl } = standby.services;
    for (let round = 0; round < 2; round += 1) {
      expect((await standby.get(freshList, { 'x-service-api-key': key })).status).toBe(200);
      await accessControl.keys.close();
    }
    await accessControl.keys.close();
    const lines = captured.lines.filter(({ msg }) => msg.includes('last use of API keys'));
    expect(lines.map(({ msg }) => msg)).toEqual([expect.stringContaining('read-only')]);
    expect((await primary.services.accessControl.keys.list()).map(({ id }) => id)).toContain(record.id);
  });

  test('gets an error that says that it cannot be migrated', async () => {
    const config = loadConfig({ DATABASE_URL: replication.standbyUrl });
    await expect(openDatabase(config, captured.log)).rejects.toMatchObject({
      name: 'StorageError',
      message: expect.stringMatching(/read-only.*MIGRATE=off;/) as string,
    });
  });
});
