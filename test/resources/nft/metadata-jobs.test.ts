import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openQueue } from '../../../src/jobs/queue.js';
import { metadataQueue } from '../../../src/resources/nft/queue.js';
import { requestReindex } from '../../../src/resources/nft/store.js';
import {
  type DocumentServer,
  empty,
  erc1155,
  erc721,
  hour,
  inline,
  ipfs,
  later,
  log,
  type MetadataJobs,
  now,
  openServedMetadataJobs,
  type ServedMetadataJobs,
  times,
  tokenSequence,
  until,
} from '../../harness/metadata-jobs.js';
import { findToken } from '../../harness/nft-token.js';

let jobs: MetadataJobs;
let web: DocumentServer;
let work: ServedMetadataJobs['work'];
let close: ServedMetadataJobs['close'];
beforeAll(async () => {
  ({ jobs, web, work, close } = await openServedMetadataJobs());
});
afterAll(() => close());
const tokenOf = tokenSequence();

// However a job ended, no document was ever fetched by two runs at once.
afterEach(() => expect(web.overlaps()).toBe(0));

describe('a metadata job', () => {
  test('stores the metadata of ERC-721, ERC-1155, data: and ipfs: tokens', async () => {
    const tokens = [tokenOf(erc721), tokenOf(erc1155), tokenOf(inline), tokenOf(ipfs)] as const;
    for (const token of tokens) await jobs.request(token);
    const worker = await work();
    const [web721, web1155, data, gateway] = await Promise.all(tokens.map(jobs.settled));
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

  test('fails with a reason, keeps what an earlier one stored, and still counts for the hour', async () => {
    const token = tokenOf(erc721);
    await jobs.request(token);
    const worker = await work();
    await jobs.settled(token);
    web.scripted.set(`/${token.tokenId}`, [(respond) => respond(404, '')]);
    await jobs.request(token, later(hour));
    const row = await jobs.settled(token);
    expect(row).toMatchObject({ metadataStatus: 'failed', name: `token /${token.tokenId}` });
    expect(row.failureReason).toMatch(/^127\.0\.0\.1:\d+ answered with status 404$/);
    expect(await jobs.request(token, later(hour + 1))).toMatchObject({ accepted: false });
    const unknown = tokenOf(empty);
    await jobs.request(unknown);
    expect((await jobs.settled(unknown)).failureReason).toContain('no such token');
    await worker.stop();
  });

  test('runs again after a failure that may pass, with the reason to see meanwhile', async () => {
    const token = tokenOf(erc721);
    web.scripted.set(`/${token.tokenId}`, [(respond) => respond(503, '')]);
    await jobs.request(token);
    const worker = await work();
    const waiting = await until(async () => {
      const row = (await findToken(jobs.prisma, token))!;
      return row.failureReason !== null && row;
    });
    expect(waiting).toMatchObject({
      metadataStatus: 'queued',
      failureReason: expect.stringContaining('503') as string,
    });
    expect(await jobs.settled(token)).toMatchObject({ metadataStatus: 'done', failureReason: null });
    expect(web.asked.get(`/${token.tokenId}`)).toBe(2);
    await worker.stop();
  });

  test('is given up when it takes too long', async () => {
    const token = tokenOf(erc721);
    web.scripted.set(`/${token.tokenId}`, [() => {}]);
    const impatient = { ...times, run: 0.3, retries: 0 };
    const own = await openQueue(jobs.storage, log, metadataQueue, impatient);
    await requestReindex(jobs.prisma, own.enqueue, token, now);
    const worker = await work(impatient);
    expect((await jobs.settled(token)).failureReason).toBe('reading took longer than 0.3 seconds');
    await worker.stop();
    await own.stop();
  });

  test('that a later job replaced ends without doing anything', async () => {
    const token = tokenOf(erc721);
    await jobs.request(token);
    await jobs.request(token, later(hour));
    const completed = await jobs.count('completed');
    const worker = await work();
    await jobs.settled(token);
    await until(async () => (await jobs.count('completed')) === completed + 2);
    expect(web.asked.get(`/${token.tokenId}`)).toBe(1);
    await worker.stop();
  });
});
