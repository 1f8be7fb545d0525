import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { pino } from 'pino';
import type { Hex } from 'viem';
import type { NftToken } from '../../src/generated/prisma/client.js';
import type { NftTokenKey } from '../../src/resources/nft/key.js';
import { metadataSources } from '../../src/resources/nft/metadata/sources.js';
import { connect, installQueues, type JobTimes, onStorage, openQueue } from '../../src/jobs/queue.js';
import { startConsumer, type Consumer } from '../../src/jobs/consumer.js';
import { metadataQueue } from '../../src/resources/nft/queue.js';
import { metadataJobHandlers } from '../../src/resources/nft/job.js';
import { type ReindexDecision, requestReindex } from '../../src/resources/nft/store.js';
import { createDatabase } from './database.js';
import { serveJsonRpc } from './json-rpc.js';
import { type LoopbackServer, serveHttp } from './loopback.js';
import { findToken } from './nft-token.js';
import type { Storage } from '../../src/storage/open.js';
import type { Database } from '../../src/storage/prisma.js';
import { createPool, storageOn } from './connections.js';

export const log = pino({ level: 'fatal' });

/** Times so short that a test sees a job repeated, and found again after its process was lost. */
export const times: JobTimes = { run: 2, lost: 3, maintenance: 1, poll: 0.05, retryDelay: 1, retries: 4 };

/** The time of a request to reindex, unless a test gives another. */
export const now = new Date('2026-10-01T11:59:30.250Z');
export const later = (milliseconds: number): Date => new Date(now.getTime() + milliseconds);
/** How long a token cannot be reindexed again, milliseconds. */
export const hour = 3_600_000;

// The contracts of serveContracts.
export const erc721 = `0x${'a1'.repeat(20)}` as const;
export const erc1155 = `0x${'b2'.repeat(20)}` as const;
/** Its metadata addresses are data: addresses. */
export const inline = `0x${'c3'.repeat(20)}` as const;
/** Its metadata addresses are ipfs: addresses. */
export const ipfs = `0x${'d4'.repeat(20)}` as const;
/** It has no tokens: every call reverts. */
export const empty = `0x${'e5'.repeat(20)}` as const;

/** A function that gives another token of a contract with every call; their ids count up from 1. */
export function tokenSequence(): (address: Hex) => NftTokenKey {
  let next = 1n;
  return (address) => ({ evmChainId: 43113n, address, tokenId: next++ });
}

/** A fresh database with the tables of the queue. */
export interface MetadataJobs {
  databaseUrl: string;
  pool: pg.Pool;
  storage: Storage;
  prisma: Database;
  /** Requests that a token is reindexed, at `now` unless another time is given. */
  request: (token: NftTokenKey, at?: Date) => Promise<ReindexDecision>;
  /** The token's row when its metadata has been read or has failed for good. */
  settled: (token: NftTokenKey) => Promise<NftToken>;
  /** How many metadata jobs are in a state, as pg-boss names it. */
  count: (state: string) => Promise<number>;
  /** Removes every waiting job from the queue. */
  purge: () => Promise<void>;
  /** Starts a worker in this process that reads from these servers. */
  work: (servers: { rpcUrl: string; webUrl: string }, patience?: JobTimes) => Promise<Consumer>;
  /** Stops the workers that still run, and drops the database. */
  close: () => Promise<void>;
}

/** Makes such a database. */
export async function openMetadataJobs(): Promise<MetadataJobs> {
  const database = await createDatabase();
  const pool = createPool(database.url, 8);
  const storage = storageOn(pool);
  const { prisma } = storage;
  await installQueues(storage, log, [metadataQueue]);
  const queue = await openQueue(storage, log, metadataQueue, times);
  const workers: Consumer[] = [];
  return {
    databaseUrl: database.url,
    pool,
    storage,
    prisma,
    request: (token, at = now) => requestReindex(prisma, queue.enqueue, token, at),
    settled: (token) =>
      until(async () => {
        const row = await findToken(prisma, token);
        return row !== null && ['done', 'failed'].includes(row.metadataStatus) && row;
      }),
    async count(state) {
      const text = 'SELECT count(*)::int AS count FROM pgboss.job WHERE name = $1 AND state::text = $2';
      const { rows } = await pool.query<{ count: number }>(text, [metadataQueue.name, state]);
      return rows[0]!.count;
    },
    purge: () => connect(onStorage(storage), log).purgeQueue(metadataQueue.name),
    async work({ rpcUrl, webUrl }, patience = times) {
      const settings = {
        RPC_URLS: { 43113: rpcUrl },
        IPFS_GATEWAY: `${webUrl}/gateway`,
        ARWEAVE_GATEWAY: undefined,
        FETCH_ALLOW_LOOPBACK: true,
      };
      const sources = metadataSources(settings, () => Promise.resolve(null));
      const handlers = metadataJobHandlers({ storage, sources, log, times: patience });
      const worker = await startConsumer(storage, log, metadataQueue, handlers, { times: patience });
      workers.push(worker);
      return worker;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await queue.stop();
      await prisma.$disconnect();
      await pool.end();
      await database.drop();
    },
  };
}

/** A test's answer to a request for a document. */
type Answer = (respond: (status: number, body: string) => void) => void;

/** A web server with a document under every path. */
export interface DocumentServer extends LoopbackServer {
  /** Answers for a path before the usual one, in order. */
  scripted: Map<string, Answer[]>;
  /** How many requests each path got. */
  asked: ReadonlyMap<string, number>;
  /** How many requests a path got while an earlier one had no answer. */
  overlaps: () => number;
}

/** Serves documents that are named for their path. */
async function serveDocuments(): Promise<DocumentServer> {
  const scripted = new Map<string, Answer[]>();
  const asked = new Map<string, number>();
  const open = new Set<string>();
  let overlaps = 0;
  const server = await serveHttp((request, response) => {
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
  return { ...server, scripted, asked, overlaps: () => overlaps };
}

/** Serves the contracts above, whose documents are at `webUrl` or in their own addresses. */
function serveContracts(webUrl: string): Promise<LoopbackServer> {
  return serveJsonRpc({
    [erc721]: { tokenURI: (id) => `${webUrl}/${id}` },
    [erc1155]: { uri: () => `${webUrl}/multi/{id}` },
    [inline]: {
      tokenURI: (id) => `data:application/json,{"name":"inline ${id}","attributes":[{"value":1}]}`,
    },
    [ipfs]: { tokenURI: (id) => `ipfs://QmHash/${id}` },
    [empty]: {},
  });
}

/** Such a database, with the contracts and documents that its workers read. */
export interface ServedMetadataJobs {
  jobs: MetadataJobs;
  web: DocumentServer;
  rpcUrl: string;
  /** Starts a worker in this process that reads from these servers. */
  work: (patience?: JobTimes) => Promise<Consumer>;
  /** Stops all that was started. */
  close: () => Promise<void>;
}

/** Makes a database, a web server with documents and the RPC of a chain with contracts. */
export async function openServedMetadataJobs(): Promise<ServedMetadataJobs> {
  const jobs = await openMetadataJobs();
  const web = await serveDocuments();
  const rpc = await serveContracts(web.url);
  return {
    jobs,
    web,
    rpcUrl: rpc.url,
    work: (patience) => jobs.work({ rpcUrl: rpc.url, webUrl: web.url }, patience),
    async close() {
      await jobs.close();
      await rpc.close();
      await web.close();
    },
  };
}

/** Reads until there is a result; the test's own time limit ends it. */
export async function until<T>(read: () => Promise<T | false>): Promise<T> {
  for (;;) {
    const result = await read();
    if (result !== false) return result;
    await sleep(20);
  }
}
