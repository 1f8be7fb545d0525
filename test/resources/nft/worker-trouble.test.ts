import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NftTokenKey } from '../../../src/resources/nft/key.js';
import { metadataSources } from '../../../src/resources/nft/metadata/sources.js';
import { startConsumer, type Consumer } from '../../../src/jobs/consumer.js';
import { metadataQueue } from '../../../src/resources/nft/queue.js';
import { metadataJobHandlers } from '../../../src/resources/nft/job.js';
import { captureLog } from '../../harness/log.js';
import {
  inline,
  openServedMetadataJobs,
  type ServedMetadataJobs,
  times,
  tokenSequence,
  until,
} from '../../harness/metadata-jobs.js';
import { countStatements } from '../../harness/statements.js';

const JOBS = 80;
// Four loops that pause 0.2 seconds after the first failure and twice as long after each further one.
const patient = { ...times, poll: 0.2, retryDelay: 2 };

let served: ServedMetadataJobs;
let tokens: NftTokenKey[];

beforeAll(async () => {
  served = await openServedMetadataJobs();
  await served.jobs.pool.query(`
    CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`);
  const tokenOf = tokenSequence();
  tokens = Array.from({ length: JOBS }, () => tokenOf(inline));
  for (const token of tokens) await served.jobs.request(token);
});
afterAll(() => served.close());

function work(log: ReturnType<typeof captureLog>): Promise<Consumer> {
  const { storage } = served.jobs;
  const settings = {
    RPC_URLS: { 43113: served.rpcUrl },
    IPFS_GATEWAY: undefined,
    ARWEAVE_GATEWAY: undefined,
    FETCH_ALLOW_LOOPBACK: true,
  };
  const sources = metadataSources(settings, () => Promise.resolve(null));
  const handlers = metadataJobHandlers({ storage, sources, log: log.log, times: patient });
  return startConsumer(storage, log.log, metadataQueue, handlers, { times: patient });
}

test('a worker whose jobs all meet the same trouble rests, says so once, and does them when it is over', async () => {
  const { jobs } = served;
  await jobs.pool.query('CREATE TRIGGER full_disk BEFORE UPDATE ON nft_token EXECUTE FUNCTION disk_full()');
  const captured = captureLog();
  const { statements, result: worker } = await countStatements(async () => {
    const started = await work(captured);
    await sleep(2000);
    return started;
  });
  const begun = statements.filter((text) => text.includes('UPDATE nft_token'));
  expect(begun.length).toBeGreaterThan(0);
  expect(begun.length).toBeLessThan(JOBS / 2);
  const errors = captured.lines.filter(({ level }) => level >= 50);
  expect(errors.map(({ msg }) => msg)).toEqual([expect.stringContaining('cannot be used for metadata jobs')]);

  await jobs.pool.query('DROP TRIGGER full_disk ON nft_token');
  for (const token of tokens) expect(await jobs.settled(token)).toMatchObject({ metadataStatus: 'done' });
  await worker.stop();
});

test('a worker that cannot ask for jobs says so once, and does the next one when it can', async () => {
  const { jobs } = served;
  await jobs.pool.query('ALTER TABLE pgboss.job RENAME TO job_away');
  const captured = captureLog();
  const worker = await work(captured);
  const lines = () => captured.lines.filter(({ msg }) => msg.includes('cannot be used for metadata jobs'));
  await until(() => Promise.resolve(lines().length > 0));
  await sleep(1000);
  expect(lines()).toHaveLength(1);
  await jobs.pool.query('ALTER TABLE pgboss.job_away RENAME TO job');
  const token = { ...tokens[0]!, tokenId: 999_999n };
  await jobs.request(token);
  expect(await jobs.settled(token)).toMatchObject({ metadataStatus: 'done' });
  await worker.stop();
});
