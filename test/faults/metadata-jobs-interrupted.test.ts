import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, onStorage, openQueue } from '../../src/jobs/queue.js';
import type { NftTokenKey } from '../../src/resources/nft/key.js';
import { metadataQueue } from '../../src/resources/nft/queue.js';
import { beginJob, requestReindex, storeMetadata } from '../../src/resources/nft/store.js';
import {
  type DocumentServer,
  erc721,
  log,
  type MetadataJobs,
  now,
  openServedMetadataJobs,
  type ServedMetadataJobs,
  times,
  tokenSequence,
  until,
} from '../harness/metadata-jobs.js';
import { findToken } from '../harness/nft-token.js';
import { startReindexProcess } from '../harness/reindex.js';
import { connectTo } from '../harness/connections.js';
import { report } from './harness/table.js';

let jobs: MetadataJobs;
let web: DocumentServer;
let rpcUrl: string;
let work: ServedMetadataJobs['work'];
let close: ServedMetadataJobs['close'];
beforeAll(async () => {
  ({ jobs, web, rpcUrl, work, close } = await openServedMetadataJobs());
});
afterAll(() => close());
const tokenOf = tokenSequence();

/**
 * Adds the row of requested jobs: right are those whose token has a result, in this state; lost are those
 * whose token still waits although no job is left for it.
 */
async function reportJobs(fault: string, tokens: NftTokenKey[], status: 'done' | 'failed'): Promise<void> {
  const found: Awaited<ReturnType<typeof findToken>>[] = [];
  for (const token of tokens) found.push(await findToken(jobs.prisma, token));
  const count = (which: (state: string) => boolean) =>
    found.filter((row) => row && which(row.metadataStatus)).length;
  const right = count((state) => state === status);
  const waiting = count((state) => state === 'queued' || state === 'running');
  report({
    fault: `metadata jobs: ${fault}`,
    sent: tokens.length,
    right,
    refused: 0,
    wrong: tokens.length - right,
    lost: found.filter((row) => row === null).length + waiting,
  });
  expect(right).toBe(tokens.length);
}

describe('a metadata job', () => {
  test('goes to another worker when its own stops', async () => {
    const token = tokenOf(erc721);
    web.scripted.set(`/${token.tokenId}`, [() => {}]);
    await jobs.request(token);
    const first = await work({ ...times, run: 60, lost: 90 });
    await until(() => Promise.resolve(web.asked.has(`/${token.tokenId}`)));
    await first.stop();
    expect(await findToken(jobs.prisma, token)).toMatchObject({
      metadataStatus: 'queued',
      failureReason: null,
    });
    const second = await work();
    expect(await jobs.settled(token)).toMatchObject({ metadataStatus: 'done' });
    await second.stop();
    await reportJobs('the worker stops', [token], 'done');
  });

  test('is done although the database breaks every connection while it runs', async () => {
    const token = tokenOf(erc721);
    let answer = () => {};
    web.scripted.set(`/${token.tokenId}`, [(respond) => (answer = () => respond(200, '{"name":"late"}'))]);
    await jobs.request(token);
    const worker = await work();
    await until(() => Promise.resolve(web.asked.has(`/${token.tokenId}`)));
    const admin = await connectTo(jobs.databaseUrl);
    await admin.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await admin.end();
    answer();
    expect(await until(() => jobs.settled(token).catch(() => false))).toMatchObject({
      metadataStatus: 'done',
    });
    await worker.stop();
    await reportJobs('every connection to the database breaks', [token], 'done');
  });

  test('never runs twice at once, and a run that outlived its lease stores nothing', async () => {
    const token = tokenOf(erc721);
    await jobs.request(token);
    const { jobId } = (await findToken(jobs.prisma, token))!;
    const first = await beginJob(jobs.prisma, token, jobId!, 0.2);
    expect(first).toEqual({ kind: 'begun', attempt: 1 });
    expect(await beginJob(jobs.prisma, token, jobId!, 60)).toEqual({ kind: 'busy' });
    await sleep(250);
    expect(await beginJob(jobs.prisma, token, jobId!, 60)).toEqual({ kind: 'begun', attempt: 2 });
    const document = { name: 'x', description: null, image: null, attributes: [], raw: '{"name":"x"}' };
    const metadata = { standard: 'ERC-721', metadataAddress: 'x', document } as const;
    const store = (attempt: number) =>
      jobs.prisma.$transaction((transaction) =>
        storeMetadata(transaction, token, { jobId: jobId!, attempt }, metadata),
      );
    expect(await store(1)).toBe(false);
    expect(await findToken(jobs.prisma, token)).toMatchObject({ metadataStatus: 'running', name: null });
    expect(await store(2)).toBe(true);
    expect(await store(2)).toBe(false);
    expect(await beginJob(jobs.prisma, token, jobId!, 60)).toEqual({ kind: 'settled' });
    await reportJobs('a run outlives its lease', [token], 'done');
    await jobs.purge();
  });

  test('that is lost every time leaves a token that failed with a reason', async () => {
    const token = tokenOf(erc721);
    const own = await openQueue(jobs.storage, log, metadataQueue, { ...times, lost: 1, retries: 0 });
    await requestReindex(jobs.prisma, own.enqueue, token, now);
    // Taken and never ended, as by a process that was killed.
    expect(await connect(onStorage(jobs.storage), log).fetch(metadataQueue.name)).toHaveLength(1);
    const worker = await work();
    expect(await jobs.settled(token)).toMatchObject({
      metadataStatus: 'failed',
      failureReason: expect.stringContaining('worker was lost') as string,
    });
    expect(web.asked.has(`/${token.tokenId}`)).toBe(false);
    await worker.stop();
    await own.stop();
    await reportJobs('lost every time', [token], 'failed');
  });

  test('is neither lost nor half stored when workers are killed in the middle of a thousand', async () => {
    const tokens = Array.from({ length: 1_000 }, () => tokenOf(erc721));
    for (const token of tokens) await jobs.request(token);
    const completed = await jobs.count('completed');
    const given = { databaseUrl: jobs.databaseUrl, times, role: 'worker', rpcUrl } as const;
    for (const enough of [250, 600]) {
      const worker = await startReindexProcess(given);
      await until(async () => (await jobs.count('completed')) - completed >= enough);
      worker.kill('SIGKILL');
      await once(worker, 'exit');
      expect((await jobs.count('completed')) - completed).toBeLessThan(1_000);
      expect(await jobs.count('active')).toBeGreaterThan(0);
    }
    const last = await startReindexProcess(given);
    await until(async () => (await jobs.count('completed')) - completed === 1_000);
    last.kill('SIGKILL');
    const rows = await jobs.prisma.nftToken.findMany({
      where: { tokenId: { gte: `${tokens[0]!.tokenId}` } },
    });
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
    expect(await jobs.count('active')).toBe(0);
    expect(web.overlaps()).toBe(0);
    await reportJobs('workers killed -9 in the middle of 1,000', tokens, 'done');
  });
});
