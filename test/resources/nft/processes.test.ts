import { Avalanche } from '@avalanche-sdk/chainkit';
import { TooManyRequestsError } from '@avalanche-sdk/chainkit/models/errors';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { createDatabase, type TestDatabase } from '../../harness/database.js';
import { serveJsonRpc } from '../../harness/json-rpc.js';
import { listen } from '../../harness/listen.js';
import { type LoopbackServer, serveHttp } from '../../harness/loopback.js';
import { type MoraineProcess, startMoraine } from '../../harness/moraine.js';
import { createPool } from '../../harness/connections.js';

const contract = `0x${'a1'.repeat(20)}`;
const slow = `0x${'b2'.repeat(20)}`;
const pathOf = (tokenId: string, address = contract) =>
  `/v1/chains/43113/nfts/collections/${address}/tokens/${tokenId}:reindex`;

let database: TestDatabase;
let pool: pg.Pool;
let rpc: LoopbackServer;
let web: LoopbackServer;
let processes: MoraineProcess[];
let apps: TestApp[];
/** The addresses of the four. */
let gateways: string[];
let env: Record<string, string>;
let arrived: () => void;

beforeAll(async () => {
  database = await createDatabase();
  pool = createPool(database.url, 2);
  web = await serveHttp((request, response) => {
    if (request.url?.startsWith('/slow')) arrived();
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"one"}');
  });
  rpc = await serveJsonRpc({
    [contract]: { tokenURI: (id) => `${web.url}/${id}` },
    [slow]: { tokenURI: (id) => `${web.url}/slow/${id}` },
  });
  env = {
    DATABASE_URL: database.url,
    PORT: '0',
    SAMPLE: 'off',
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    RPC_URLS: JSON.stringify({ 43113: rpc.url }),
    FETCH_ALLOW_LOOPBACK: 'true',
  };
  // Two of them in separate processes, two in this one, each with its own connections.
  processes = await Promise.all(
    Array.from({ length: 2 }, () =>
      startMoraine('serve', { ...env, WORKER: 'off' }, /http:\/\/127\.0\.0\.1:\d+(?=\/$)/),
    ),
  );
  apps = await Promise.all(
    Array.from({ length: 2 }, () => createApp({ ...env, WORKER: 'off' }, { reach: () => database.url })),
  );
  const listening = apps.map(({ app }) => listen(app));
  gateways = [...processes.map(({ ready }) => ready), ...(await Promise.all(listening))];
});

afterAll(async () => {
  await Promise.all([
    ...processes.map((process) => process.stop()),
    ...apps.map((gateway) => gateway.close()),
  ]);
  await pool.end();
  await database.drop();
  await rpc.close();
  await web.close();
});

async function jobs(tokenId: string): Promise<number> {
  const text = `SELECT count(*)::int AS count FROM pgboss.job WHERE name = 'nft-metadata' AND data->>'tokenId' = $1`;
  const { rows } = await pool.query<{ count: number }>(text, [tokenId]);
  return rows[0]!.count;
}

async function statusOf(tokenId: string, address = contract): Promise<string | undefined> {
  const { rows } = await pool.query<{ status: string }>(
    `SELECT metadata_status AS status FROM nft_token WHERE token_id = $1 AND address = decode($2, 'hex')`,
    [tokenId, address.slice(2)],
  );
  return rows[0]?.status;
}

describe('four gateways on one database', () => {
  test('accept exactly one of fifty parallel requests for a token, and add one job', async () => {
    const start = Date.now();
    for (const { clock } of apps) clock.now = start;
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        fetch(gateways[index % 4]! + pathOf('50'), { method: 'POST' }),
      ),
    );
    const elapsed = Math.ceil((Date.now() - start) / 1000);
    const accepted = replies.filter(({ status }) => status === 201);
    expect(accepted).toHaveLength(1);
    expect(await accepted[0]!.text()).toBe('');
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(49);
    for (const { headers } of refused) {
      const seconds = Number(headers.get('retry-after'));
      expect(headers.get('ratelimit-reset')).toBe(headers.get('retry-after'));
      expect(seconds).toBeLessThanOrEqual(3600);
      expect(seconds).toBeGreaterThanOrEqual(3600 - elapsed);
    }
    expect(await jobs('50')).toBe(1);
  });

  test("accept the official client's call, and its second one throws the client's own error", async () => {
    const client = new Avalanche({ enableTelemetry: false });
    const serverURL = gateways[0]!;
    const call = () =>
      client.data.nfts.reindex({ chainId: '43113', address: contract, tokenId: '60' }, { serverURL });
    expect(await call()).toBeUndefined();
    const error: unknown = await call().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TooManyRequestsError);
    expect(error).toMatchObject({ statusCode: 429, error: 'Too Many Requests' });
    expect(await jobs('60')).toBe(1);
  });

  test('leave the jobs to moraine worker with WORKER=off; stopped, it gives a running one back', async () => {
    const reached = new Promise<void>((resolve) => (arrived = resolve));
    const worker = await startMoraine(
      'worker',
      { ...env, LOG_LEVEL: 'info' },
      /processing NFT metadata jobs/,
    );
    await fetch(gateways[1]! + pathOf('70'), { method: 'POST' });
    while ((await statusOf('70')) !== 'done') await sleep(50);
    await fetch(gateways[2]! + pathOf('71', slow), { method: 'POST' });
    await reached;
    expect(await statusOf('71', slow)).toBe('running');
    expect(await worker.stop()).toBe(0);
    expect(await statusOf('71', slow)).toBe('queued');
  });
});
