import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSample } from '../../src/load-sample.js';
import { createApp, type TestApp } from '../harness/app.js';
import { connectTo } from '../harness/connections.js';
import { freshList, freshPage, outputsAt } from '../harness/fresh-page.js';
import { importRows } from '../harness/import-rows.js';
import { utxoRow } from '../harness/ledger-rows.js';
import { captureLog } from '../harness/log.js';
import { readsFromReplica, replicaOf } from '../harness/replica-reads.js';
import { readLists, restPaths, unreadOf, withFewerTransactions } from '../harness/rest-lists.js';
import { openReplication, type Replication } from '../harness/standby.js';

/** Milliseconds between two checks of a replica. */
const LOOK_MS = 500;

let replication: Replication;
let primary: TestApp;
let paths: Awaited<ReturnType<typeof restPaths>>;
let wanted: Map<string, string>;

beforeAll(async () => {
  replication = await openReplication();
  primary = await createApp({}, { reach: () => replication.primaryUrl });
  await loadSample(primary.storage, captureLog().log);
  const all = await restPaths(primary);
  const lists = all.lists.filter(([path]) => !path.includes('mainnet'));
  paths = withFewerTransactions({ ...all, lists });
  wanted = await readLists(primary, paths);
  await replication.caughtUp();
});

afterAll(async () => {
  await primary?.close();
  await replication?.close();
});

/** A gateway that reads from the standby however far that is behind, once it does. */
async function openGateway(): Promise<TestApp> {
  const settings = { READ_DATABASE_URLS: replication.standbyUrl, READ_MAX_LAG_MS: '3600000' };
  const gateway = await createApp(settings, { reach: () => replication.primaryUrl });
  await readsFromReplica(gateway, true);
  return gateway;
}

/** Imports outputs of mainnet, batch after batch, until it is stopped; how many batches. */
function importWithoutPause(): () => Promise<number> {
  let ended = false;
  let batches = 0;
  const importing = (async () => {
    for (; !ended; batches += 1) {
      const rows = Array.from({ length: 100 }, (_, row) => utxoRow(`batch ${batches} row ${row}`));
      await importRows(primary.storage, 'mainnet.p-chain.utxos', rows);
    }
  })();
  return async () => {
    ended = true;
    await importing;
    return batches;
  };
}

/** Reads that went to each server, by the gateway's metrics: the primary's, and the replica's. */
const readsOf = ({ storage }: TestApp) => storage.servers().map(({ reads }) => reads) as [number, number];

/** Transactions of a server that are over, as it counts them itself. */
async function transactionsOf(serverUrl: string): Promise<number> {
  const url = new URL(serverUrl);
  const name = url.pathname.slice(1);
  // Of another database, so that this is none of them.
  url.pathname = '/postgres';
  const client = await connectTo(url.href);
  try {
    const { rows } = await client.query<{ count: string }>(
      `SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = $1`,
      [name],
    );
    return Number(rows[0]?.count);
  } finally {
    await client.end();
  }
}

describe('with reads at a standby', () => {
  test('every list, and objects of every kind, are those of the primary, while others are imported without pause', async () => {
    expect(unreadOf(paths)).toEqual([]);
    expect(paths.objects.length).toBeGreaterThan(100);
    const gateway = await openGateway();
    const end = importWithoutPause();
    try {
      const [before] = readsOf(gateway);
      const found = await readLists(gateway, paths);
      expect(await end()).toBeGreaterThan(1);
      expect([...found]).toEqual([...wanted]);
      const [ofPrimary, ofReplica] = readsOf(gateway);
      expect(ofPrimary).toBe(before);
      expect(ofReplica).toBeGreaterThan(found.size);
      expect(replicaOf(gateway).replica.used).toBe(true);
    } finally {
      await end();
      await gateway.close();
    }
  });

  test('a page token of the primary gives its page at once, while others are imported without pause', async () => {
    const gateway = await openGateway();
    const end = importWithoutPause();
    try {
      for (let round = 0; round < 25; round += 1) {
        const page = await freshPage(primary, `round ${round}`);
        expect(await outputsAt(gateway, page)).toEqual(await outputsAt(primary, page));
      }
      expect((await gateway.get(freshList)).status).toBe(200);
    } finally {
      await end();
      await gateway.close();
    }
  });

  test('the standby itself counts the transactions that the metrics count as its reads', async () => {
    await replication.caughtUp();
    const start = performance.now();
    const before = await transactionsOf(replication.standbyUrl);
    const gateway = await openGateway();
    await readLists(gateway, { ...paths, objects: paths.objects.slice(0, 50) });
    const [ofPrimary, ofReplica] = readsOf(gateway);
    // A connection that is closed has reported all that it did.
    await gateway.close();
    const looks = 2 + (performance.now() - start) / LOOK_MS;
    let counted = 0;
    await expect
      .poll(async () => (counted = (await transactionsOf(replication.standbyUrl)) - before))
      .toBeGreaterThanOrEqual(ofReplica);
    expect(ofReplica).toBeGreaterThan(100);
    // In addition it was checked, and each of the pool's 16 connections begins with one.
    expect(counted - ofReplica).toBeLessThanOrEqual(looks + 16);
    // Until it was looked at for the first time.
    expect(ofPrimary).toBeLessThan(20);
  });
});
