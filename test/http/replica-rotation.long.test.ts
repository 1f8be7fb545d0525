import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { freshList, freshPage, outputsAt } from '../harness/fresh-page.js';
import { captureLog } from '../harness/log.js';
import { readsFromReplica, replicaOf } from '../harness/replica-reads.js';
import { openProxy } from '../harness/proxy.js';
import { openReplication, type Replication } from '../harness/standby.js';

let replication: Replication;
let primary: TestApp;

beforeAll(async () => {
  replication = await openReplication();
  primary = await createApp({}, { reach: () => replication.primaryUrl });
});

afterEach(async () => {
  await replication.resume();
  await replication.caughtUp();
});

afterAll(async () => {
  await primary?.close();
  await replication?.close();
});

/** A gateway that reads from the replica at `url`, which may be a second behind. */
const open = (url: string, { log } = captureLog()) =>
  createApp(
    { READ_DATABASE_URLS: url, READ_MAX_LAG_MS: '1000' },
    { log, reach: () => replication.primaryUrl },
  );

test('a replica that is too far behind leaves the rotation and comes back by itself', async () => {
  const log = captureLog();
  const careful = await open(replication.standbyUrl, log);
  try {
    await readsFromReplica(careful, true);
    // Until the replica had the proof that it follows the primary, it may have been out of the rotation
    // already.
    const before = log.lines.length;
    await replication.pause();
    await freshPage(primary, 'far ahead');
    await readsFromReplica(careful, false);
    expect(await outputsAt(careful, freshList)).toEqual(await outputsAt(primary, freshList));
    await replication.resume();
    await readsFromReplica(careful, true);
    const messages = log.lines.slice(before).map(({ msg }) => msg);
    expect(messages.filter((msg) => msg.includes('the replica'))).toEqual([
      'the replica is too far behind: it is not read from',
      'the replica is read from again',
    ]);
  } finally {
    await careful.close();
  }
});

test('a replica that cannot be reached leaves the rotation and comes back by itself; meanwhile every answer is right', async () => {
  const network = await openProxy(replication.standbyUrl);
  const careful = await open(network.url);
  try {
    await readsFromReplica(careful, true);
    const wanted = await outputsAt(primary, freshList);
    network.swallow();
    for (let round = 0; round < 5; round += 1) expect(await outputsAt(careful, freshList)).toEqual(wanted);
    await readsFromReplica(careful, false);
    network.mend();
    await readsFromReplica(careful, true);
  } finally {
    await careful.close();
    await network.close();
  }
});

test('a server that is no replica of this database is never read from', async () => {
  const log = captureLog();
  const misled = await open(replication.primaryUrl, log);
  try {
    await misled.get(freshList);
    await expect.poll(() => log.text(), { timeout: 20_000 }).toContain('is not a hot standby');
    expect(replicaOf(misled)).toMatchObject({ reads: 0, replica: { used: false } });
  } finally {
    await misled.close();
  }
});
