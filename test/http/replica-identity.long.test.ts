import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../harness/app.js';
import { freshList } from '../harness/fresh-page.js';
import { openFamily, type Family } from '../harness/cluster-family.js';
import { captureLog } from '../harness/log.js';
import { readsFromReplica, replicaOf } from '../harness/replica-reads.js';

let family: Family;
beforeAll(async () => {
  family = await openFamily();
});
afterAll(() => family?.close());

/** A gateway of one server that is to read from another, however far that is behind. */
const open = (primary: string, replica: string, log = captureLog()) =>
  createApp(
    { READ_DATABASE_URLS: replica, READ_MAX_LAG_MS: '3600000' },
    { log: log.log, reach: () => primary },
  );

async function expectNeverRead(primary: string, replica: string, why: string): Promise<void> {
  const log = captureLog();
  const gateway = await open(primary, replica, log);
  try {
    await gateway.get(freshList);
    await expect.poll(() => log.text(), { timeout: 20_000 }).toContain('it is not read from');
    await expect.poll(() => log.text(), { timeout: 20_000 }).toContain(why);
    for (let round = 0; round < 20; round += 1) expect((await gateway.get(freshList)).status).toBe(200);
    expect(replicaOf(gateway)).toMatchObject({ reads: 0, replica: { used: false } });
  } finally {
    await gateway.close();
  }
}

async function expectRead(primary: string, replica: string): Promise<void> {
  const gateway = await open(primary, replica);
  try {
    await readsFromReplica(gateway, true);
  } finally {
    await gateway.close();
  }
}

test('standbys of the server of DATABASE_URL are read from, before and after one of them is promoted', async () => {
  const { first, second, ofFirst, ofSecond } = family;
  await expectRead(first.url, second.url);
  await expectRead(first.url, ofFirst.url);
  await second.promote();
  await expectRead(second.url, ofSecond.url);
});

test('a standby still on the former primary is not read from, however far its log is', async () => {
  const { first, second, ofFirst } = family;
  await first.goAhead();
  await expectNeverRead(second.url, ofFirst.url, 'does not follow DATABASE_URL');
});

test('a standby of a promoted sibling is not read from', async () => {
  const { first, second, ofSecond } = family;
  // Its log is to be longer than that of the first, which went ahead before.
  await second.goAhead();
  await second.goAhead();
  await expectNeverRead(first.url, ofSecond.url, 'does not follow DATABASE_URL');
});

test('a standby of a cluster that was filled from a dump is not read from', async () => {
  const { first, ofRestored } = family;
  await expectNeverRead(first.url, ofRestored.url, 'belongs to another cluster than DATABASE_URL');
});
