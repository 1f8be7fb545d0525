import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { pino } from 'pino';
import fc from 'fast-check';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NftToken, PrismaClient } from '../src/generated/prisma/client.js';
import { metadataSources } from '../src/jobs/metadata/sources.js';
import {
  connect,
  installQueue,
  type JobTimes,
  onPool,
  openQueue,
  type Queue,
  queues,
} from '../src/jobs/queue.js';
import { startWorker, type Worker } from '../src/jobs/worker.js';
import { metadataJobHandlers } from '../src/resources/nft/job.js';
import { beginJob, type ReindexDecision, requestReindex, storeMetadata } from '../src/resources/nft/store.js';
import { findToken } from './harness/nft-token.js';
import { createDatabase, type TestDatabase } from './harness/database.js';
import { type Contract, serveJsonRpc } from './harness/json-rpc.js';
import { type LoopbackServer, serveHttp } from './harness/loopback.js';
import { startReindexProcess } from './harness/reindex.js';

const log = pino({ level: 'fatal' });
const times: JobTimes = { run: 2, lost: 3, maintenance: 1, poll: 0.05, retryDelay: 1, retries: 4 };
const hour = 3_600_000;
const now = new Date('2026-10-01T11:59:30.250Z');
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);

const erc721 = `0x${'a1'.repeat(20)}` as const;
const erc1155 = `0x${'b2'.repeat(20)}` as const;
const inline = `0x${'c3'.repeat(20)}` as const;
const ipfs = `0x${'d4'.repeat(20)}` as const;
const empty = `0x${'e5'.repeat(20)}` as const;
let next = 1n;
const tokenOf = (address: Hex) => ({
  evmChainId: 43113n,
  address,
  tokenId: next++,
});

let database: TestDatabase;
let pool: pg.Pool;
let prisma: PrismaClient;
let queue: Queue;
let rpc: LoopbackServer;
let web: LoopbackServer;
/** Answers for a path before the usual one, in order. */
const scripted = new Map<string, ((respond: (status: number, body: string) => void) => void)[]>();
const asked = new Map<string, number>();
/** Paths being asked for; a second time at once is counted. */
const open = new Set<string>();
let overlaps = 0;
const workers: Worker[] = [];

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 8 });
  pool.on('error', () => {});
  prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  await installQueue(pool, log);
  queue = await openQueue(pool, log, times);
  web = await serveHttp((request, response) => {
    const path = request.url!;
    asked.set(path, (asked.get(path) ?? 0) + 1);
    if (open.has(path)) overlaps++;
    open.add(path);
    response.on('close', () => open.delete(path));
    const respond = (status: number, body: string) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    };
    const script = scripted.get(path)?.shift();
    if (script) script(respond);
    else setTimeout(() => respond(200, JSON.stringify({ name: `token ${path}` })), 15);
  });
  const contracts: Record<string, Contract> = {
    [erc721]: { tokenURI: (id) => `${web.url}/${id}` },
    [erc1155]: { uri: () => `${web.url}/multi/{id}` },
    [inline]: {
      tokenURI: (id) => `data:application/json,{"name":"inline ${id}","attributes":[{"value":1}]}`,
    },
    [ipfs]: { tokenURI: (id) => `ipfs://QmHash/${id}` },
    [empty]: {},
  };
  rpc = await serveJsonRpc(contracts);
});

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await queue.stop();
  await prisma.$disconnect();
  await pool.end();
  await database.drop();
  await rpc.close();
  await web.close();
});

async function work(patience: JobTimes = times): Promise<Worker> {
  const settings = {
    RPC_URLS: { 43113: rpc.url },
    IPFS_GATEWAY: `${web.url}/gateway`,
    FETCH_ALLOW_LOOPBACK: true,
  };
  const sources = metadataSources(settings, () => Promise.resolve(null));
  const handlers = metadataJobHandlers({ pool, sources, log, times: patience });
  const worker = await startWorker(pool, log, handlers, { times: patience });
  workers.push(worker);
  return worker;
}

const request = (token: ReturnType<typeof tokenOf>, at = now): Promise<ReindexDecision> =>
  requestReindex(pool, queue.enqueue, token, at);

async function until<T>(read: () => Promise<T | false>): Promise<T> {
  for (;;) {
    const result = await read();
    if (result !== false) return result;
    await sleep(20);
  }
}

const settled = (token: ReturnType<typeof tokenOf>): Promise<NftToken> =>
  until(async () => {
    const row = await findToken(prisma, token);
    return row !== null && ['done', 'failed'].includes(row.metadataStatus) && row;
  });

async function jobs(state: string): Promise<number> {
  const text = 'SELECT count(*)::int AS count FROM pgboss.job WHERE name = $1 AND state::text = $2';
  const { rows } = await pool.query<{ count: number }>(text, [queues.metadata, state]);
  return rows[0]!.count;
}

describe('a request to reindex a token', () => {
  it('is accepted once an hour, counted from the last accepted one and not by the clock', async () => {
    const token = tokenOf(empty);
    expect(await request(token)).toEqual({ accepted: true });
    expect(await request(token)).toEqual({ accepted: false, retryAfterSeconds: 3600 });
    expect(await request(token, later(30_000))).toEqual({ accepted: false, retryAfterSeconds: 3570 });
    expect(await request(token, later(30_001))).toEqual({ accepted: false, retryAfterSeconds: 3570 });
    expect(await request(token, later(hour - 1))).toEqual({ accepted: false, retryAfterSeconds: 1 });
    expect(await request(token, later(hour))).toEqual({ accepted: true });
    expect(await request(token, later(hour + 1))).toEqual({ accepted: false, retryAfterSeconds: 3600 });
    // A server whose clock is behind.
    expect(await request(token, now)).toEqual({ accepted: false, retryAfterSeconds: 3600 });
  });

  it('is decided as if the last accepted one were all there is to know', async () => {
    const gap = fc.integer({ min: 0, max: 5_000_000 });
    await fc.assert(
      fc.asyncProperty(fc.array(gap, { minLength: 1, maxLength: 12 }), async (gaps) => {
        const token = tokenOf(empty);
        let accepted = -Infinity;
        let at = 0;
        for (const each of gaps) {
          at += each;
          const wait = accepted + hour - at;
          const decision = await request(token, later(at));
          if (wait > 0)
            expect(decision).toEqual({ accepted: false, retryAfterSeconds: Math.ceil(wait / 1000) });
          else expect(decision).toEqual({ accepted: true });
          if (decision.accepted) accepted = at;
        }
      }),
      { numRuns: 30 },
    );
  });

  it('adds a token that is not held, and is kept apart by chain, contract and id', async () => {
    const token = tokenOf(empty);
    await request(token);
    const row = await findToken(prisma, token);
    expect(row).toMatchObject({ metadataStatus: 'queued', reindexRequestedAt: now, owner: null });
    expect(await request({ ...token, evmChainId: 1n })).toEqual({ accepted: true });
    expect(await request({ ...token, address: inline })).toEqual({ accepted: true });
    const largest = { ...token, tokenId: 2n ** 256n - 1n };
    expect(await request(largest)).toEqual({ accepted: true });
    expect((await findToken(prisma, largest))!.tokenId.toFixed()).toBe((2n ** 256n - 1n).toString());
  });

  it('leaves nothing behind when its job cannot be added', async () => {
    const token = tokenOf(empty);
    const failing = requestReindex(pool, () => Promise.reject(new Error('no queue')), token, now);
    await expect(failing).rejects.toThrow('no queue');
    expect(await findToken(prisma, token)).toBeNull();
    expect(await request(token)).toEqual({ accepted: true });
  });

  it.each([
    ['a token that is not held', false],
    ['a token whose hour is over', true],
  ])(
    'is accepted exactly once among fifty at the same time in four processes, for %s',
    async (_which, held) => {
      const token = tokenOf(empty);
      if (held) await request(token, later(-hour));
      const before = await jobs('created');
      const given = { databaseUrl: database.url, times, now: now.toISOString(), tokenId: `${token.tokenId}` };
      const children = await Promise.all(
        [13, 13, 12, 12].map((requests) =>
          startReindexProcess({ ...given, role: 'request', address: token.address, requests }),
        ),
      );
      const answers = children.map(async (child) => {
        child.stdin!.write('go\n');
        const [output] = (await once(child.stdout!, 'data')) as [Buffer];
        return JSON.parse(output.toString()) as ReindexDecision[];
      });
      const decisions = (await Promise.all(answers)).flat();
      expect(decisions).toHaveLength(50);
      expect(decisions.filter(({ accepted }) => accepted)).toHaveLength(1);
      expect(decisions.filter((each) => !each.accepted && each.retryAfterSeconds === 3600)).toHaveLength(49);
      expect(await jobs('created')).toBe(before + 1);
    },
  );
});

describe('a metadata job', () => {
  beforeAll(async () => {
    await pool.query('TRUNCATE nft_token');
    await connect(onPool(pool), log).purgeQueue(queues.metadata);
  });

  it('stores the metadata of ERC-721, ERC-1155, data: and ipfs: tokens', async () => {
    const tokens = [tokenOf(erc721), tokenOf(erc1155), tokenOf(inline), tokenOf(ipfs)] as const;
    for (const token of tokens) await request(token);
    const worker = await work();
    const [web721, web1155, data, gateway] = await Promise.all(tokens.map(settled));
    const hex = tokens[1].tokenId.toString(16).padStart(64, '0');
    expect(web721).toMatchObject({
      metadataStatus: 'done',
      standard: 'ERC-721',
      metadataAddress: `${web.url}/${tokens[0].tokenId}`,
      name: `token /${tokens[0].tokenId}`,
      rawMetadata: `{"name":"token /${tokens[0].tokenId}"}`,
      failureReason: null,
      jobLeaseUntil: null,
    });
    expect(web721!.fetchedAt).toBeInstanceOf(Date);
    expect(web1155).toMatchObject({ standard: 'ERC-1155', name: `token /multi/${hex}` });
    expect(data).toMatchObject({
      name: `inline ${tokens[2].tokenId}`,
      attributes: [{ traitType: null, value: '1', displayType: null }],
    });
    expect(gateway).toMatchObject({ name: `token /gateway/ipfs/QmHash/${tokens[3].tokenId}` });
    await worker.stop();
  });

  it('fails with a reason, keeps what an earlier one stored, and still counts for the hour', async () => {
    const token = tokenOf(erc721);
    await request(token);
    const worker = await work();
    await settled(token);
    scripted.set(`/${token.tokenId}`, [(respond) => respond(404, '')]);
    await request(token, later(hour));
    const row = await settled(token);
    expect(row).toMatchObject({ metadataStatus: 'failed', name: `token /${token.tokenId}` });
    expect(row.failureReason).toMatch(/^127\.0\.0\.1:\d+ answered with status 404$/);
    expect(await request(token, later(hour + 1))).toMatchObject({ accepted: false });
    const unknown = tokenOf(empty);
    await request(unknown);
    expect((await settled(unknown)).failureReason).toContain('no such token');
    await worker.stop();
  });

  it('runs again after a failure that may pass, with the reason to see meanwhile', async () => {
    const token = tokenOf(erc721);
    scripted.set(`/${token.tokenId}`, [(respond) => respond(503, '')]);
    await request(token);
    const worker = await work();
    const waiting = await until(async () => {
      const row = (await findToken(prisma, token))!;
      return row.failureReason !== null && row;
    });
    expect(waiting).toMatchObject({
      metadataStatus: 'queued',
      failureReason: expect.stringContaining('503') as string,
    });
    expect(await settled(token)).toMatchObject({ metadataStatus: 'done', failureReason: null });
    expect(asked.get(`/${token.tokenId}`)).toBe(2);
    await worker.stop();
  });

  it('is given up when it takes too long', async () => {
    const token = tokenOf(erc721);
    scripted.set(`/${token.tokenId}`, [() => {}]);
    const impatient = { ...times, run: 0.3, retries: 0 };
    const own = await openQueue(pool, log, impatient);
    await requestReindex(pool, own.enqueue, token, now);
    const worker = await work(impatient);
    expect((await settled(token)).failureReason).toBe('reading took longer than 0.3 seconds');
    await worker.stop();
    await own.stop();
  });

  it('goes to another worker when its own stops', async () => {
    const token = tokenOf(erc721);
    scripted.set(`/${token.tokenId}`, [() => {}]);
    await request(token);
    const first = await work({ ...times, run: 60, lost: 90 });
    await until(() => Promise.resolve(asked.has(`/${token.tokenId}`)));
    await first.stop();
    expect(await findToken(prisma, token)).toMatchObject({ metadataStatus: 'queued', failureReason: null });
    const second = await work();
    expect(await settled(token)).toMatchObject({ metadataStatus: 'done' });
    await second.stop();
  });

  it('is done although the database breaks every connection while it runs', async () => {
    const token = tokenOf(erc721);
    let answer = () => {};
    scripted.set(`/${token.tokenId}`, [(respond) => (answer = () => respond(200, '{"name":"late"}'))]);
    await request(token);
    const worker = await work();
    await until(() => Promise.resolve(asked.has(`/${token.tokenId}`)));
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await admin.end();
    answer();
    expect(await until(() => settled(token).catch(() => false))).toMatchObject({ metadataStatus: 'done' });
    await worker.stop();
  });

  it('that a later job replaced ends without doing anything', async () => {
    const token = tokenOf(erc721);
    await request(token);
    await request(token, later(hour));
    const completed = await jobs('completed');
    const worker = await work();
    await settled(token);
    await until(async () => (await jobs('completed')) === completed + 2);
    expect(asked.get(`/${token.tokenId}`)).toBe(1);
    await worker.stop();
  });

  it('never runs twice at once, and a run that outlived its lease stores nothing', async () => {
    const token = tokenOf(erc721);
    await request(token);
    const { jobId } = (await findToken(prisma, token))!;
    const first = await beginJob(pool, token, jobId!, 0.2);
    expect(first).toEqual({ kind: 'begun', attempt: 1 });
    expect(await beginJob(pool, token, jobId!, 60)).toEqual({ kind: 'busy' });
    await sleep(250);
    expect(await beginJob(pool, token, jobId!, 60)).toEqual({ kind: 'begun', attempt: 2 });
    const document = { name: 'x', description: null, image: null, attributes: [], raw: '{"name":"x"}' };
    const metadata = { standard: 'ERC-721', metadataAddress: 'x', document } as const;
    const store = async (attempt: number) => {
      const client = await pool.connect();
      try {
        return await storeMetadata(client, token, { jobId: jobId!, attempt }, metadata);
      } finally {
        client.release();
      }
    };
    expect(await store(1)).toBe(false);
    expect(await findToken(prisma, token)).toMatchObject({ metadataStatus: 'running', name: null });
    expect(await store(2)).toBe(true);
    expect(await store(2)).toBe(false);
    expect(await beginJob(pool, token, jobId!, 60)).toEqual({ kind: 'settled' });
    await connect(onPool(pool), log).purgeQueue(queues.metadata);
  });

  it('that is lost every time leaves a token that failed with a reason', async () => {
    const token = tokenOf(erc721);
    const own = await openQueue(pool, log, { ...times, lost: 1, retries: 0 });
    await requestReindex(pool, own.enqueue, token, now);
    // Taken and never ended, as by a process that was killed.
    expect(await connect(onPool(pool), log).fetch(queues.metadata)).toHaveLength(1);
    const worker = await work();
    expect(await settled(token)).toMatchObject({
      metadataStatus: 'failed',
      failureReason: expect.stringContaining('worker was lost') as string,
    });
    expect(asked.has(`/${token.tokenId}`)).toBe(false);
    await worker.stop();
    await own.stop();
  });

  it(
    'is neither lost nor half stored when workers are killed in the middle of a thousand',
    { timeout: 180_000 },
    async () => {
      const tokens = Array.from({ length: 1_000 }, () => tokenOf(erc721));
      for (const token of tokens) await request(token);
      const completed = await jobs('completed');
      const given = { databaseUrl: database.url, times, role: 'worker', rpcUrl: rpc.url } as const;
      for (const enough of [250, 600]) {
        const worker = await startReindexProcess(given);
        await until(async () => (await jobs('completed')) - completed >= enough);
        worker.kill('SIGKILL');
        await once(worker, 'exit');
        expect((await jobs('completed')) - completed).toBeLessThan(1_000);
        expect(await jobs('active')).toBeGreaterThan(0);
      }
      const last = await startReindexProcess(given);
      await until(async () => (await jobs('completed')) - completed === 1_000);
      last.kill('SIGKILL');
      const rows = await prisma.nftToken.findMany({ where: { tokenId: { gte: `${tokens[0]!.tokenId}` } } });
      expect(rows).toHaveLength(1_000);
      for (const row of rows) {
        const path = `/${row.tokenId.toFixed()}`;
        expect(row).toMatchObject({
          metadataStatus: 'done',
          name: `token ${path}`,
          rawMetadata: `{"name":"token ${path}"}`,
          metadataAddress: web.url + path,
          jobLeaseUntil: null,
        });
      }
      expect(await jobs('active')).toBe(0);
      expect(overlaps).toBe(0);
    },
  );
});

describe('the tables of the queue', () => {
  it('may be installed by several processes at once, and again', async () => {
    const other = await createDatabase({ migrated: false });
    const pools = [1, 2, 3, 4, 5].map(() => new pg.Pool({ connectionString: other.url, max: 1 }));
    await Promise.all(pools.map((each) => installQueue(each, log)));
    await installQueue(pools[0]!, log);
    const opened = await openQueue(pools[0]!, log);
    await opened.stop();
    await Promise.all(pools.map((each) => each.end()));
    await other.drop();
  });

  it('are asked for by name when they are missing', async () => {
    const other = await createDatabase({ migrated: false });
    const bare = new pg.Pool({ connectionString: other.url, max: 1 });
    await expect(openQueue(bare, log)).rejects.toThrow(/moraine migrate/);
    await bare.end();
    await other.drop();
  });
});
